//! An engine beside the referee: everything that can be seen of the one is what the lists of the other come to.

use crate::disk::Disk;
use crate::ensure;
use crate::failure::Check;
use crate::made::is_contribution;
use crate::operations::{COMMUNITIES, T0, USERS};
use crate::referee::Referee;
use crate::tab::Tab;
use crate::wire::Inside;
use std::collections::BTreeMap;
use tidegate::engine::Engine;
use tidegate::governance::MembershipStatus;

/// A tab against the rules: what it has folded, with what is pending on top.
pub fn tab(tab: &mut Tab, disk: &Disk) -> Check {
    let expected = tab.expected(disk);
    engine(&mut tab.engine, &expected)?;
    let pending = tab.pending();
    let pending = pending
        .iter()
        .filter(|event| is_contribution(event))
        .count() as u64;
    let recorded = tab.engine.contributed().recorded;
    ensure!(
        recorded == tab.counted + pending,
        "{recorded} contributions are said to count; {} are stored, {pending} pending",
        tab.counted
    );
    let bytes = tab.engine.snapshot();
    inside(&bytes, &disk.states[tab.position])?;
    if tab.position == disk.log.len() && tab.position > 0 {
        ensure!(
            bytes == disk.fold.clone().snapshot(),
            "a tab at the end of the log and a fold of it differ"
        );
    }
    Ok(())
}

/// What an engine shows.
pub fn engine(engine: &mut Engine, expected: &Referee) -> Check {
    let mut rows = BTreeMap::new();
    for row in engine.memberships(None) {
        let stopped = row.stop_forward_at_ns.unwrap_or(0);
        rows.insert(
            (row.user, row.community),
            (
                row.state,
                row.epoch,
                stopped,
                row.joined_at_ns,
                row.share_policy_version,
                row.contributing,
            ),
        );
    }
    let expected_rows = expected.members.iter().map(|(pair, member)| {
        let contributing = member.contributes() && !expected.layer(pair.0).left;
        let row = (
            member.state,
            member.epoch,
            member.stopped,
            member.joined,
            member.policy.version,
            contributing,
        );
        (*pair, row)
    });
    let expected_rows: BTreeMap<_, _> = expected_rows.collect();
    ensure!(
        rows == expected_rows,
        "memberships: {rows:?}, by the rules {expected_rows:?}"
    );
    for user in USERS {
        of_user(engine, expected, user)?;
    }
    for community in COMMUNITIES {
        let mut mass = BTreeMap::new();
        for counted in expected
            .counted
            .iter()
            .filter(|counted| counted.pair.1 == community)
        {
            *mass.entry(counted.item).or_insert(0) += 1;
        }
        let counted = engine.community_mass(community);
        // Whether an item is listed with nothing is no matter.
        let counted: BTreeMap<_, _> = counted
            .into_iter()
            .filter(|(_, count)| *count > 0)
            .collect();
        ensure!(
            counted == mass,
            "mass of {community:?}: {counted:?}, by the rules {mass:?}"
        );
        let epochs = expected
            .members
            .iter()
            .filter(|(pair, _)| pair.1 == community);
        let epoch = epochs.map(|(_, member)| member.epoch).max().unwrap_or(0);
        let known = engine.replication().membership_epoch(community);
        ensure!(
            known == epoch,
            "epoch of {community:?}: {known}, by the rules {epoch}"
        );
    }
    for ((origin, stream), mark) in &expected.marks {
        let known = engine.replication().mark(*origin, *stream);
        ensure!(
            known == *mark,
            "mark of {origin} {stream:?}: {known}, by the rules {mark}"
        );
    }
    for (id, name) in &expected.names {
        ensure!(
            engine.name_of(*id) == Some(name),
            "the name of {id} is lost"
        );
    }
    let (items, known) = (engine.item_count(), expected.known_items());
    ensure!(
        items == known,
        "{items} items are known, by the rules {known}"
    );
    Ok(())
}

fn of_user(engine: &mut Engine, expected: &Referee, user: tidegate::governance::UserId) -> Check {
    let row = engine.community_layer_status(user);
    let seen = (
        row.status == MembershipStatus::Left,
        row.left_at_ns.unwrap_or(0),
    );
    let layer = expected.layer(user);
    ensure!(
        seen == (layer.left, layer.at),
        "layer of {user:?}: {seen:?}, by the rules {layer:?}"
    );
    let cohorts = expected.cohorts.get(&user).cloned().unwrap_or_default();
    ensure!(
        engine.cohorts(user) == cohorts,
        "cohorts of {user:?}: by the rules {cohorts:?}"
    );
    let local: Vec<_> = expected
        .local
        .iter()
        .filter(|(owner, ..)| *owner == user)
        .collect();
    let marked = |which: fn(&(_, _, bool, bool)) -> bool| {
        let mut items: Vec<_> = local
            .iter()
            .filter(|row| which(row))
            .map(|row| row.1)
            .collect();
        items.sort_unstable();
        items.dedup();
        items
    };
    let (seen, hidden) = (marked(|row| row.2), marked(|row| row.3));
    let profile = engine.profile(user, T0);
    ensure!(
        profile.signals == local.len() as u64
            && profile.hidden == hidden
            && profile.seen == seen.len(),
        "profile of {user:?}: {} signals, {} seen, hidden {:?}; by the rules {}, {}, {hidden:?}",
        profile.signals,
        profile.seen,
        profile.hidden,
        local.len(),
        seen.len()
    );
    Ok(())
}

/// What a snapshot holds that no query shows.
pub fn inside(snapshot: &[u8], expected: &Referee) -> Check {
    let inside = Inside::read(snapshot);
    let mut contributions = BTreeMap::new();
    for counted in &expected.counted {
        let key = (counted.pair.1, counted.pair.0, counted.epoch, counted.item);
        *contributions.entry(key).or_insert(0) += 1;
    }
    let contributions: Vec<_> = contributions
        .into_iter()
        .map(|((community, user, epoch, item), count)| (community, user, epoch, item, count))
        .collect();
    ensure!(
        inside.contributions == contributions,
        "contributions: {:?}, by the rules {contributions:?}",
        inside.contributions
    );
    let mut attributed = BTreeMap::new();
    for row in &expected.attributed {
        *attributed.entry(*row).or_insert(0) += 1;
    }
    let attributed: Vec<_> = attributed
        .into_iter()
        .map(|((cohort, item), count)| (cohort, item, count))
        .collect();
    ensure!(
        inside.cohorts == attributed,
        "cohorts: {:?}, by the rules {attributed:?}",
        inside.cohorts
    );
    let mut waiting: Vec<_> = expected
        .waiting
        .iter()
        .map(|told| (told.community, told.number, told.event))
        .collect();
    waiting.sort_by_key(|(community, number, _)| (*community, *number));
    ensure!(
        inside.waiting == waiting,
        "the outbox: {:?}, by the rules {waiting:?}",
        inside.waiting
    );
    let acknowledged: Vec<_> = expected
        .acknowledged
        .iter()
        .map(|(community, number)| (*community, *number))
        .collect();
    ensure!(
        inside.acknowledged == acknowledged,
        "acknowledged: {:?}, by the rules {acknowledged:?}",
        inside.acknowledged
    );
    let elsewhere: Vec<_> = expected
        .layer
        .iter()
        .filter(|(_, layer)| layer.elsewhere)
        .map(|(user, _)| *user)
        .collect();
    ensure!(
        inside.elsewhere == elsewhere,
        "back elsewhere: {:?}, by the rules {elsewhere:?}",
        inside.elsewhere
    );
    Ok(())
}
