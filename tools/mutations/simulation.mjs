// Small mistakes that the simulation (tests/simulation) must catch: each takes one text out of one file and puts another
// in. The text stands there exactly once; where it does not, the list is out of date and says so.

/** @typedef {{ name: string, file: string, find: string, put: string }} Mutation */

/** @type {Mutation[]} */
export const mutations = [
  // The gate.
  {
    name: "rebase: what fell behind the gate is still logged as a contribution",
    file: "src/engine/pending.rs",
    find: "            self.fell_away();\n        }\n        localise(event, outcome);",
    put: "            self.fell_away();\n        }",
  },
  {
    name: "rebase: the counters are not told",
    file: "src/engine/pending.rs",
    find: "        self.contributed.recorded = self.contributed.recorded.saturating_sub(1);",
    put: "",
  },
  {
    name: "rebase: kinds keep their numbers when others come before them",
    file: "src/engine/pending.rs",
    find: "            event.renumber(|kind| match kinds.get(usize::from(kind.0)) {",
    put: "            event.renumber(|kind| match kinds.get(usize::from(kind.0) + 256) {",
  },
  {
    name: "rebase: names that a forgetting took along are not logged again",
    file: "src/engine/pending.rs",
    find: "                self.log_names(&event);\n                // An event",
    put: "                // An event",
  },
  {
    name: "rebase: signals of somebody who was forgotten elsewhere are appended",
    file: "src/engine/pending.rs",
    find: "                && forgotten.contains(&signal.user)",
    put: "                && forgotten.contains(&signal.user)\n                && signal.user.0 == 0",
  },
  {
    name: "rebase: every contribution falls away",
    file: "src/engine/pending.rs",
    find: "            self.fell_away();\n        }\n        localise(event, outcome);",
    put: "            self.fell_away();\n        }\n        localise(event, Outcome::Left);",
  },
  {
    name: "stamp: the epoch is taken when it is appended, not when it is made",
    file: "src/engine/pending.rs",
    find: "    pub(super) fn reapply(&mut self, event: &mut Event) {\n",
    put: `    pub(super) fn reapply(&mut self, event: &mut Event) {
        if let Event::Signal(signal) = event
            && let Some(community) = signal.provenance.scope.community()
        {
            signal.provenance.membership_epoch = self.state.registry.epoch(signal.user, community);
        }
`,
  },
  {
    name: "gate: the share policy is not asked",
    file: "src/governance/admission.rs",
    find: "    if !row.share.shares(claim.kind) {",
    put: "    if false && !row.share.shares(claim.kind) {",
  },
  {
    name: "gate: an older epoch counts",
    file: "src/governance/admission.rs",
    find: "        _ => return Outcome::StaleEpoch,",
    put: "        None => return Outcome::StaleEpoch,\n        _ => {}",
  },
  {
    name: "gate: a closed row lets contributions through",
    file: "src/governance/admission.rs",
    find: "    if !gate.is_open() {",
    put: "    if !gate.is_open() && !gate.is_unconditional() {",
  },
  {
    name: "gate: a later epoch counts",
    file: "src/governance/admission.rs",
    find: "return Outcome::FutureEpoch,",
    put: "{}",
  },
  {
    name: "gate: an epoch that only an import knows lets own signals through",
    file: "src/governance/admission.rs",
    find: "    if claim.own && !row.is_contributing() {",
    put: "    if claim.own && row.contributing_epoch.is_none() {",
  },
  {
    name: "gate: a row that only an import knows lets own signals through",
    file: "src/governance/admission.rs",
    find: "    if claim.own && !row.is_contributing() {",
    put: "    if claim.own && row.contributing_epoch.is_some_and(|epoch| epoch != row.epoch) {",
  },
  {
    name: "gate: whoever joined the epoch here may contribute any kind",
    file: "src/governance/row.rs",
    find: " && matches!(row.share, ShareMode::All)",
    put: "",
  },
  {
    name: "gate: whoever shares all kinds may contribute under an epoch that was not joined here",
    file: "src/governance/row.rs",
    find: "row.contributing_epoch == Some(row.epoch) && ",
    put: "",
  },
  {
    name: "layer: a return in between is not noticed",
    file: "src/governance/admission.rs",
    find: " && stamp == Some(row.left_at_ns.unwrap_or(0))",
    put: " && stamp.is_some()",
  },
  {
    name: "cohorts: attribution does not ask the layer",
    file: "src/engine/state.rs",
    find: "        if open {\n            for cohort",
    put: "        if open || true {\n            for cohort",
  },
  {
    name: "layer: imports of somebody who has left it count",
    file: "src/engine/merge.rs",
    find: "                if self.is_layer_left_everywhere(user) {",
    put: "                if false && self.is_layer_left_everywhere(user) {",
  },

  // Transitions.
  {
    name: "leave: closes only the epoch that it saw",
    file: "src/engine/state.rs",
    find: "                self.close(*user, *community, *at_ns);\n                self.mark_leave",
    put: "                if let Event::Leave { epoch, .. } = event\n                    && self.registry.epoch(*user, *community) == Some(*epoch)\n                {\n                    self.close(*user, *community, *at_ns);\n                }\n                self.mark_leave",
  },
  {
    name: "leave: the later of two times stands",
    file: "src/engine/state.rs",
    find: "            if at_ns.max(1) < row.stop_forward_at_ns.load() {",
    put: "            if at_ns.max(1) > row.stop_forward_at_ns.load() {",
  },
  {
    name: "leave: the first that is appended gives the time, not the earlier one",
    file: "src/engine/state.rs",
    find: "            if at_ns.max(1) < row.stop_forward_at_ns.load() {",
    put: "            if false && at_ns.max(1) < row.stop_forward_at_ns.load() {",
  },
  {
    name: "join: a higher epoch is ignored",
    file: "src/engine/state.rs",
    find: "            Some(known) if known < epoch => {",
    put: "            Some(known) if known < epoch && state == MembershipState::Left => {",
  },
  {
    name: "join: opens an epoch that was left",
    file: "src/engine/state.rs",
    find: "            if row.epoch == epoch && row.is_open() {",
    put: "            if row.epoch == epoch {\n                row.state = state;\n                row.clear_stop_forward();",
  },
  {
    name: "join: without a policy it brings the default one back",
    file: "src/engine/state.rs",
    find: "                row.set_share_policy(policy.unwrap_or(row.share_policy()));\n                row.contributing_epoch = Some(epoch);",
    put: "                row.set_share_policy(policy.unwrap_or_default());\n                row.contributing_epoch = Some(epoch);",
  },
  {
    name: "layer: two leaves may have one time",
    file: "src/engine/state.rs",
    find: "left_at_ns.max(last.saturating_add(1));",
    put: "left_at_ns.max(last);",
  },
  {
    name: "layer: a return opens what it has not seen closed",
    file: "src/engine/state.rs",
    find: "let seen = |last: u64| last <= *left_at_ns;",
    put: "let seen = |last: u64| last <= *left_at_ns || last > 0;",
  },
  {
    name: "epochs of communities: not raised",
    file: "src/engine/state.rs",
    find: "        self.replication.advance_membership_epoch(community, epoch);",
    put: "        let _ = (community, epoch);",
  },

  // Tombstones.
  {
    name: "tombstone: not honoured",
    file: "src/engine/tombstones.rs",
    find: "        let open = self.is_open(tombstone.leaver());\n",
    put: "        let open = self.is_open(tombstone.leaver());\n        if open && tombstone.community.is_some() {\n            return false;\n        }\n",
  },
  {
    name: "tombstone: what is pending of the leaver counts all the same",
    file: "src/engine/tombstones.rs",
    find: "        self.withdraw(leaver, sent..self.pending());\n",
    put: "",
  },
  {
    name: "tombstone: what is on its way is withdrawn, too",
    file: "src/engine/tombstones.rs",
    find: "        self.withdraw(leaver, sent..self.pending());",
    put: "        self.withdraw(leaver, 0..self.pending());",
  },
  {
    name: "tombstone: a row that is lost is offered again as it was",
    file: "src/engine/tombstones.rs",
    find: "                self.withdraw(left.0, 0..place);\n",
    put: "                let _ = place;\n",
  },
  {
    name: "tombstone: closes what was opened by somebody who knew of it",
    file: "src/engine/tombstones.rs",
    find: "        marks.is_some_and(known)",
    put: "        marks.is_some_and(known) && tombstone.at_ns == 0",
  },
  {
    name: "tombstone: a leave beside another one is not logged",
    file: "src/engine/tombstones.rs",
    find: "        let changes_nothing = !open && (tombstone.again || tombstone.mark == 0);",
    put: "        let changes_nothing = !open;",
  },
  {
    name: "tombstone: a leave that pends is not said again",
    file: "src/engine/tombstones.rs",
    find: "        self.mark != 0 && self.pending_leave(leaver).is_some()",
    put: "        self.mark == 0 && self.pending_leave(leaver).is_some()",
  },
  {
    name: "tombstone: whoever opens the gate has not read it",
    file: "src/engine/tombstones.rs",
    find: "        if tombstone.user.0 != 0 && !self.is_honoured(tombstone) {",
    put: "        if tombstone.user.0 == 0 && !self.is_honoured(tombstone) {",
  },
  {
    name: "tombstone of the layer: not honoured",
    file: "src/engine/tombstones.rs",
    find: "            || user.0 != 0 && !self.state.layer.is_left(user),",
    put: "            || user.0 == 0,",
  },
  {
    name: "tombstone of the layer: what is pending counts in cohorts all the same",
    file: "src/engine/tombstones.rs",
    find: "                    signal.layer = None;\n",
    put: "",
  },
  {
    name: "tombstone: its mark is not stored",
    file: "src/engine/snapshot.rs",
    find: "        let mut marks: Vec<_> = marks.map(",
    put: "        let mut marks: Vec<_> = marks.take(0).map(",
  },
  {
    name: "tombstone: its mark is not taken back",
    file: "src/engine/state.rs",
    find: "        self.leave_marks.undo();\n",
    put: "",
  },
  {
    name: "leave: appended again after another tab has stored it",
    file: "src/engine/pending.rs",
    find: "                && !opened.contains(&leaver)\n            {\n                continue;",
    put: "                && opened.contains(&leaver)\n            {\n                continue;",
  },
  {
    name: "leave: not appended after this tab has opened the gate",
    file: "src/engine/pending.rs",
    find: "                opened.extend(closed.filter(|leaver| self.is_open(*leaver)));\n",
    put: "                let _ = closed;\n",
  },
  {
    name: "fence: a tab behind a stored leave exports",
    file: "tests/simulation/exchange.rs",
    find: "        if self.tab.position < self.database.disk.tombstones.fence {",
    put: "        if self.tab.position + 1 < self.database.disk.tombstones.fence {",
  },
  {
    name: "tombstone: thrown away before its leave is stored",
    file: "tests/simulation/write_loop.rs",
    find: "        if ending == Ending::CrashBefore {",
    put: "        disk.tombstones = Default::default();\n        if ending == Ending::CrashBefore {",
  },

  // The write loop.
  {
    name: "own row: folded like a foreign one, and appended again",
    file: "tests/simulation/write_loop.rs",
    find: "            if sent.completed {\n                seen::note",
    put: "            if sent.completed && sent.count == 0 {\n                seen::note",
  },
  {
    name: "own row: appended twice by the store",
    file: "tests/simulation/write_loop.rs",
    find: "            self.append(disk, sent.row.clone())?;",
    put: "            self.append(disk, sent.row.clone())?;\n            disk.append(sent.row.clone())?;",
  },
  {
    name: "commit: a part commits all",
    file: "src/engine/pending.rs",
    find: "        if count == self.pending.events.len() {",
    put: "        if count > 0 {",
  },
  {
    name: "commit: what came after the stored events stays in the committed state",
    file: "src/engine/pending.rs",
    find: "        for event in events.drain(..count) {\n            self.state.apply(&event);\n        }\n        self.state.commit();\n        self.pending.events = events;\n        self.apply_pending();",
    put: "        for event in &events {\n            self.state.apply(event);\n        }\n        events.drain(..count);\n        self.state.commit();\n        self.pending.events = events;",
  },
  {
    name: "commit: nothing is dropped",
    file: "src/engine/pending.rs",
    find: "            }\n            self.pending.events.clear();",
    put: "            }",
  },
  {
    name: "catch up: pending events are not taken back first",
    file: "src/engine/pending.rs",
    find: "        if !self.pending.is_empty() {\n            self.state.undo();\n        }\n",
    put: "",
  },
  {
    name: "catch up: what was folded is not committed",
    file: "src/engine/pending.rs",
    find: "        self.state.commit();\n        let forgets",
    put: "        let forgets",
  },
  {
    name: "catch up: the rows before a damaged one stay",
    file: "src/engine/pending.rs",
    find: "                self.state.undo();\n                self.state.origin = origin;\n",
    put: "                self.state.origin = origin;\n",
  },
  {
    name: "reload: pending events are lost",
    file: "src/engine/pending.rs",
    find: "        self.state = fresh.state;\n",
    put: "        self.state = fresh.state;\n        self.pending.events.clear();\n",
  },
  {
    name: "reload: signals of somebody who was forgotten are kept",
    file: "src/engine/pending.rs",
    find: "            .filter(|(user, times)| !before.contains(&(**user, **times)))",
    put: "            .filter(|(user, times)| !before.contains(&(**user, **times)) && user.0 == 0)",
  },
  {
    name: "reload: names that wait are lost",
    file: "src/engine/pending.rs",
    find: "        fresh.state.names.keep_waiting(&self.state.names);\n",
    put: "",
  },
  {
    name: "reload: names that a forgetting took along are lost",
    file: "src/catalogue/names.rs",
    find: "waiting.chain(other.iter())",
    put: "waiting",
  },
  {
    name: "snapshot: with what is pending",
    file: "src/engine/snapshot.rs",
    find: "        let pending = !self.pending.is_empty();",
    put: "        let pending = false;",
  },

  // The journal.
  {
    name: "journal: a row is not saved before it changes",
    file: "src/signals/ledger/journal.rs",
    find: "        if saved.is_none_or(|saved| saved.slot != slot) {\n            let before = SavedRow {",
    put: "        if saved.is_none_or(|saved| saved.slot != slot) && row.count != 1 {\n            let before = SavedRow {",
  },
  {
    name: "journal: a further sum is not saved before it changes",
    file: "src/signals/ledger/journal.rs",
    find: "        if saved.is_none_or(|saved| saved.slot != slot) {\n            let before = SavedMore {",
    put: "        if saved.is_none_or(|saved| saved.slot != slot) && more.next != NONE {\n            let before = SavedMore {",
  },
  {
    name: "journal: the number of contributions is not put back",
    file: "src/signals/ledger/journal.rs",
    find: "(row.link, row.count) = (saved.link, saved.count);",
    put: "row.link = saved.link;",
  },
  {
    name: "journal: seen and hidden are not put back",
    file: "src/signals/ledger/journal.rs",
    find: "(row.more, row.flags) = (saved.more, saved.flags);",
    put: "row.more = saved.more;",
  },
  {
    name: "journal: the sums of a row are not put back",
    file: "src/signals/ledger/journal.rs",
    find: "                row.pair = saved.pair;\n",
    put: "",
  },
  {
    name: "journal: memberships are not put back",
    file: "src/engine/state.rs",
    find: "        self.registry.undo();\n",
    put: "",
  },
  {
    name: "journal: a membership that was changed is not saved",
    file: "src/governance/registry.rs",
    find: "        self.before.push(((user, community), Some(before)));\n",
    put: "",
  },
  {
    name: "journal: the layer is not put back",
    file: "src/engine/state.rs",
    find: "        self.layer.undo();\n",
    put: "",
  },
  {
    name: "journal: how often somebody was forgotten is not put back",
    file: "src/engine/state.rs",
    find: "        self.forgotten.undo();\n",
    put: "",
  },
  {
    name: "journal: returns elsewhere are not put back",
    file: "src/engine/state.rs",
    find: "        self.returned_elsewhere.undo();\n",
    put: "",
  },
  {
    name: "journal: the outbox is not put back",
    file: "src/engine/state.rs",
    find: "        self.outbox.undo();\n",
    put: "",
  },
  {
    name: "journal: what left the outbox does not come back",
    file: "src/log/outbox.rs",
    find: "self.undo.push(((*here, *number), Some(event)));",
    put: "let _ = event;",
  },
  {
    name: "journal: whether there is an outbox is not put back",
    file: "src/log/outbox.rs",
    find: "        self.enabled = self.enabled_before;\n",
    put: "",
  },
  {
    name: "journal: high-water marks are not put back",
    file: "src/replication/mod.rs",
    find: "        while let Some((slot, value)) = self.undo.pop() {\n            self.marks[slot as usize].value = value;\n        }",
    put: "        self.undo.clear();",
  },
  {
    name: "journal: the clock is not put back",
    file: "src/replication/mod.rs",
    find: "        self.clock = self.committed_clock;\n",
    put: "",
  },
  {
    name: "journal: epochs of communities are not put back",
    file: "src/replication/mod.rs",
    find: "        self.epochs.undo();\n",
    put: "",
  },
  {
    name: "journal: names are not put back",
    file: "src/engine/state.rs",
    find: "        self.names.undo();\n",
    put: "",
  },
  {
    name: "journal: features of items are not put back",
    file: "src/catalogue/items.rs",
    find: "let new = core::mem::replace(&mut self.features[item as usize], features);",
    put: "let new = self.features[item as usize].clone();",
  },
  {
    name: "journal: released items are not referred to again",
    file: "src/catalogue/items.rs",
    find: "                Undo::Released(item) => {\n                    self.references[item as usize] += 1;\n",
    put: "                Undo::Released(item) => {\n",
  },
  {
    name: "journal: forgetting is not taken back",
    file: "src/catalogue/interner.rs",
    find: "        while let Some((id, old)) = self.remapped.pop() {\n            self.index.set(id, old);\n        }",
    put: "        self.remapped.clear();",
  },
  {
    name: "journal: the number of a user's signals is not put back",
    file: "src/profile/facts.rs",
    find: "                Undo::Signals { user, signals } => self.rows[user as usize].signals = signals,",
    put: "                Undo::Signals { .. } => {}",
  },
  {
    name: "journal: a user's cohorts are not put back",
    file: "src/profile/facts.rs",
    find: "                Undo::Cohorts { user, cohorts } => self.rows[user as usize].cohorts = cohorts,",
    put: "                Undo::Cohorts { .. } => {}",
  },
  {
    name: "journal: kinds are not taken back",
    file: "src/engine/state.rs",
    find: "        self.kinds.undo();\n",
    put: "",
  },
  {
    name: "journal: cohorts' sums are not put back",
    file: "src/engine/state.rs",
    find: "        self.cohorts.undo();\n",
    put: "",
  },

  // Events for other devices.
  {
    name: "once: the mark is not advanced",
    file: "src/engine/merge.rs",
    find: "        self.replication\n            .advance(record.origin, stream, record.sequence);",
    put: "        let _ = stream;",
  },
  {
    name: "once: void numbers do not advance the mark",
    file: "src/engine/state.rs",
    find: "                    .advance(*origin, Stream::Community(*community), *number);",
    put: "                    .advance(*origin, Stream::Community(*community), *number - *number);",
  },
  {
    name: "once: a gap is not seen",
    file: "src/engine/exchange.rs",
    find: "            if part.first > mark.saturating_add(1) {",
    put: "            if part.first > mark.saturating_add(1) && mark > u64::MAX / 2 {",
  },
  {
    name: "export: with what is pending",
    file: "src/engine/exchange.rs",
    find: "                .committed_mark(origin, Stream::Community(community));",
    put: "                .mark(origin, Stream::Community(community));",
  },
  {
    name: "export: rows of the layer that are pending",
    file: "src/engine/exchange.rs",
    find: "            .filter_map(|row| self.state.layer.committed(row.user_id))\n",
    put: "",
  },
  {
    name: "outbox: a leaver's events stay",
    file: "src/log/outbox.rs",
    find: "        self.drop_where(Some(community), |_, event| event.user() == user);",
    put: "        let _ = (user, community);",
  },
  {
    name: "outbox: a join that opened nothing waits",
    file: "src/engine/state.rs",
    find: "                    && row.epoch == *epoch\n                    && row.is_open()",
    put: "                    && row.epoch == *epoch",
  },
  {
    name: "outbox: contributions stay when the layer is left",
    file: "src/log/outbox.rs",
    find: "            matches!(event, Remote::Contribution { .. }) && event.user() == user",
    put: "            matches!(event, Remote::Join { .. }) && event.user() == user && event.user().0 == 0",
  },
  {
    name: "outbox: an imported leave does not drop what waits",
    file: "src/engine/merge.rs",
    find: "                self.outbox.drop_member(user, community);\n",
    put: "",
  },
  {
    name: "outbox: what is acknowledged stays",
    file: "src/log/outbox.rs",
    find: "|waiting, _| waiting <= number",
    put: "|waiting, _| waiting < number",
  },
  {
    name: "outbox: turned off, it keeps what waits",
    file: "src/log/outbox.rs",
    find: "        if !enabled {\n            self.drop_where(None, |_, _| true);",
    put: "        if !enabled && self.streams.is_empty() {\n            self.drop_where(None, |_, _| true);",
  },
  {
    name: "import: a join of elsewhere opens the gate here",
    file: "src/engine/merge.rs",
    find: "                self.merge_join(user, community, (epoch, state), Some(policy), at_ns);\n",
    put: "                self.merge_join(user, community, (epoch, state), Some(policy), at_ns);\n                self.registry.modify(user, community, |row| {\n                    row.contributing_epoch = Some(row.epoch);\n                });\n",
  },
  {
    name: "import: a return elsewhere opens the layer here",
    file: "src/engine/merge.rs",
    find: "            self.returned_elsewhere.insert(row.user_id, left_at_ns);",
    put: "            self.set_layer(row.user_id, MembershipStatus::Active, left_at_ns);",
  },
  {
    name: "import: a leave of an older epoch closes",
    file: "src/engine/merge.rs",
    find: "                    return Outcome::StaleEpoch;\n                }\n                // A leave of",
    put: "                    self.close(user, community, at_ns);\n                    return Outcome::StaleEpoch;\n                }\n                // A leave of",
  },
  {
    name: "import: kinds keep the numbers of the other database",
    file: "src/engine/exchange.rs",
    find: "                let kind = |kind: KindId| numbers.get(usize::from(kind.0)).copied();",
    put: "                let kind = |kind: KindId| numbers.get(usize::from(kind.0)).map(|_| kind);",
  },
  {
    name: "names: not logged",
    file: "src/engine/catalogue.rs",
    find: "            if let Some(name) = self.state.names.to_log(id) {",
    put: "            if let Some(name) = self.state.names.to_log(id).filter(|name| name.is_empty()) {",
  },
  {
    name: "export: names are left out",
    file: "src/engine/exchange.rs",
    find: "        for id in event.ids() {",
    put: "        for id in event.ids().take(2) {",
  },
  {
    name: "restore: a copy goes on with the numbers of the original",
    file: "src/engine/snapshot.rs",
    find: "            state.outbox.reset();",
    put: "",
  },

  // Forgetting.
  {
    name: "forget: the memberships stay",
    file: "src/engine/forget.rs",
    find: "            .map(|community| self.leave(user, community, LeaveMode::StopForward, now_ns))",
    put: "            .take(0)\n            .map(|community| self.leave(user, community, LeaveMode::StopForward, now_ns))",
  },
  {
    name: "forget: names that only the forgotten used stay",
    file: "src/engine/forget.rs",
    find: "        self.names.keep_only(&referred);",
    put: "        let _ = &referred;",
  },
];
