//! What an export holds, checked against the rules: what waits and nothing more (R7, R12).

use crate::disk::Disk;
use crate::ensure;
use crate::failure::Check;
use crate::made::{leaves, leaves_layer};
use crate::operations::name;
use crate::referee::Referee;
use crate::tab::Tab;
use crate::{portable, seen, wire};
use std::collections::BTreeSet;
use tidegate::governance::{CommunityId, MembershipStatus};
use tidegate::log::{Event, Remote};
use tidegate::replication::Stream;

/// Each stream holds what waits and is appended, of the communities asked for, and says which numbers it covers.
pub fn streams(
    export: &wire::Export,
    asked: Option<&[CommunityId]>,
    since: bool,
    full: &Referee,
    tab: &Tab,
    disk: &Disk,
) -> Check {
    let base = &disk.states[tab.position];
    let kinds = tab.engine.kinds();
    ensure!(
        export.origin == full.origin,
        "the export is of {}",
        export.origin
    );
    for part in &export.streams {
        let community = part.community;
        let last = base.mark(full.origin, Stream::Community(community));
        let first = full.acknowledged.get(&community).copied().unwrap_or(0) + 1;
        ensure!(
            part.last == last && (part.first == first || since && part.first > first),
            "R7: {community:?} covers {} to {}, by the rules {first} to {last}",
            part.first,
            part.last
        );
        let asked_for = asked.is_none_or(|asked| asked.contains(&community));
        ensure!(
            full.outbox && asked_for,
            "R12: not asked for: {community:?}"
        );
        let events: Vec<_> = part
            .events
            .iter()
            .map(|(number, event)| (*number, portable::remote(*event, &export.kinds)))
            .collect();
        let mut waiting: Vec<_> = full
            .waiting
            .iter()
            .filter(|told| {
                told.community == community && (part.first..=last).contains(&told.number)
            })
            .map(|told| (told.number, portable::remote(told.event, &kinds)))
            .collect();
        waiting.sort_by_key(|(number, _)| *number);
        ensure!(
            events == waiting,
            "R12: exported {events:?}, by the rules {waiting:?}"
        );
    }
    // Without a cursor nothing that waits is left out.
    let told = full.waiting.iter().filter(|told| {
        asked.is_none_or(|asked| asked.contains(&told.community))
            && told.number <= base.mark(full.origin, Stream::Community(told.community))
    });
    let exported: usize = export.streams.iter().map(|part| part.events.len()).sum();
    ensure!(
        since || told.count() == exported,
        "R12: something that waits was left out"
    );
    Ok(())
}

/// Nothing of a leaver travels but the leave, whether it is appended, known here or not, pending here, or written down by
/// another page.
pub fn leavers(export: &wire::Export, tab: &Tab, disk: &Disk) -> Check {
    let base = &disk.states[tab.position];
    let pending = tab.pending();
    if pending
        .iter()
        .any(|event| matches!(event, Event::Leave { .. }))
    {
        seen::note("an export after a leave that pends");
    }
    for part in &export.streams {
        for (number, event) in &part.events {
            let pair = (event.user(), part.community);
            if matches!(event, Remote::Leave { .. }) {
                continue;
            }
            let told = base
                .own
                .iter()
                .find(|told| (told.community, told.number) == (pair.1, *number));
            let place = told.map_or(usize::MAX, |told| told.place);
            let contribution = matches!(event, Remote::Contribution { .. });
            let left = base.turns.iter().any(|turn| {
                turn.place > place
                    && turn.user == pair.0
                    && turn.opens.is_none()
                    && match turn.community {
                        Some(community) => community == pair.1,
                        None => contribution,
                    }
            });
            let unknown = disk.log[tab.position..].iter().flat_map(|row| &row.events);
            let leaving = pending
                .iter()
                .chain(unknown)
                .any(|event| leaves(event, pair) || contribution && leaves_layer(event, pair.0));
            ensure!(
                told.is_some() && !left && !leaving,
                "R12: of a leaver: {event:?}"
            );
        }
    }
    Ok(())
}

/// Beside the events: the names of the ids that are used and no others, and appended rows of the layer of those
/// concerned. A leave may be told before it is appended, a return may not.
pub fn beside(export: &wire::Export, full: &Referee, base: &Referee) -> Check {
    let mut ids = BTreeSet::new();
    for part in &export.streams {
        for (_, event) in &part.events {
            ids.extend([event.user().0, part.community.0]);
            if let Remote::Contribution {
                item, provenance, ..
            } = event
            {
                ids.insert(item.0);
                ids.extend(provenance.writer_agent.map(|agent| agent.0));
            }
        }
    }
    let with_names = |ids: &BTreeSet<u64>| -> BTreeSet<(u64, String)> {
        let names = ids.iter().filter_map(|id| Some((*id, name(*id)?)));
        names.collect()
    };
    let names: BTreeSet<(u64, String)> = export.names.iter().cloned().collect();
    let needed = with_names(&ids);
    // Of whoever another page saw leave the layer the name may not be known here.
    ids.extend(export.layer.iter().map(|row| row.user_id.0));
    let allowed = with_names(&ids);
    ensure!(
        names.is_superset(&needed) && names.is_subset(&allowed),
        "R12: names {names:?}, used are {needed:?}"
    );
    for row in &export.layer {
        let says = (
            row.status == MembershipStatus::Left,
            row.left_at_ns.unwrap_or(0),
        );
        let matches = |state: &Referee| {
            let layer = state.layer(row.user_id);
            says == (layer.left, layer.at)
        };
        ensure!(
            matches(base) || says.0 && matches(full),
            "R12: exported before it was appended: {row:?}"
        );
    }
    Ok(())
}
