//! Signals of all sorts: what the gate says of each is known beforehand from what the tab shows.

use crate::ensure;
use crate::failure::{Check, Failure};
use crate::operations::{Call, MILLISECOND, policy};
use crate::portable::EXTRA;
use crate::random::Random;
use crate::referee::Pair;
use tidegate::engine::Signal;
use tidegate::governance::{AgentId, KindId, Outcome, ShareMode};
use tidegate::signals::Kind;

const HOUR: u64 = 3_600_000 * MILLISECOND;
const DAY: u64 = 24 * HOUR;
const APPS: usize = 3;
const AGENT: AgentId = AgentId(501);

/// A kind that a newer version of the app comes with. Apps differ, so that what one shares is new to another.
pub fn extra_kind(app: usize, random: &mut Random) -> Kind {
    let some = EXTRA.chunks(EXTRA.len() / APPS).nth(app % APPS);
    Kind {
        name: random.pick(some.unwrap_or(&EXTRA)).into(),
        weight: 1.5,
        // Seldom, two versions of an app contradict each other.
        half_life_ns: if random.percent(10) { HOUR } else { DAY },
        seen: true,
        hide: false,
    }
}

impl Call<'_> {
    pub fn signals(&mut self) -> Check {
        for _ in 0..=self.random.below(4) {
            self.signal()?;
        }
        Ok(())
    }

    /// Most signals are of somebody for whom they count.
    fn member(&mut self) -> Option<Pair> {
        let rows = self.tab.engine.memberships(None);
        let contributing: Vec<Pair> = rows
            .iter()
            .filter(|row| row.contributing)
            .map(|row| (row.user, row.community))
            .collect();
        let any = !contributing.is_empty() && self.random.percent(70);
        let member = any.then(|| self.random.pick(&contributing));
        if let Some((user, community)) = member {
            self.name(user.0);
            self.name(community.0);
        }
        member
    }

    fn signal(&mut self) -> Check {
        let member = self.member();
        let user = member.map_or_else(|| self.user(), |pair| pair.0);
        let item = self.item();
        let kinds = self.tab.engine.kinds();
        // The last kind is often one that came with an update.
        let place = if self.random.percent(30) {
            kinds.len() - 1
        } else {
            self.random.index(kinds.len())
        };
        let kind = KindId(u16::try_from(place).expect("a kind"));
        let community = match member {
            Some((_, community)) => Some(community),
            None => self.random.percent(60).then(|| self.community()),
        };
        let agent = self.random.percent(10).then_some(AGENT);
        if agent.is_some() {
            self.name(AGENT.0);
        }
        let weight = match self.random.below(6) {
            0 => Some(0.0),
            1 => Some(-2.5),
            2 => Some(3.0),
            _ => None,
        };
        let at_ns = match self.random.below(6) {
            0 => Some(self.now - self.random.below(60 * DAY)),
            1 => Some(self.now + self.random.below(DAY / MILLISECOND) * MILLISECOND),
            _ => None,
        };
        let signal = Signal {
            user,
            item,
            kind,
            weight,
            at_ns,
            community,
            agent,
        };
        let row = community.and_then(|community| self.tab.engine.membership(user, community));
        let may_count = row.is_some_and(|row| {
            let mode = policy(row.share_policy_version).mode;
            let shared = match mode {
                ShareMode::All => true,
                ShareMode::None => false,
                ShareMode::Kinds(kinds) => kinds.contains(kind),
            };
            row.contributing && shared
        });
        let left = community.is_some_and(|community| self.tab.closed.contains(&(user, community)))
            || self.tab.layer_closed.contains(&user);
        let outcome = self
            .tab
            .engine
            .signal(&signal, self.now)
            .map_err(|error| Failure(format!("signal: {error}")))?;
        self.tell(format_args!(
            " {} of {} by {} in {:?}: {outcome:?};",
            kinds[usize::from(kind.0)].name,
            item.0,
            user.0,
            community.map(|community| community.0)
        ));
        ensure!(
            (outcome == Outcome::Recorded) == may_count,
            "R1: {outcome:?} of {signal:?} where the row is {row:?}"
        );
        ensure!(
            !(left && outcome == Outcome::Recorded),
            "R3: recorded after the leave had returned: {signal:?}"
        );
        Ok(())
    }
}
