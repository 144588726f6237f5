//! Several tabs of one log: foreign rows come under what is pending, which passes the gate again.

use crate::support::{ADA, BOB, NOIR, T0, engine, mass, record};
use tidegate::Error;
use tidegate::engine::{Engine, Tombstone};
use tidegate::governance::{CohortId, CommunityId, LeaveMode, Outcome, UserId};

/// A tab and the number of its next row.
fn tabs() -> (Engine, Engine) {
    let mut first = engine();
    first.join(ADA, NOIR, None, T0).expect("join");
    first.set_cohorts(ADA, &[CohortId(1)]).expect("cohorts");
    first.commit(usize::MAX);
    let second = Engine::restore(&first.snapshot(), None).expect("a snapshot");
    (first, second)
}

/// Appends what is pending to the log.
fn flush(engine: &mut Engine, log: &mut Vec<Vec<u8>>) {
    log.push(engine.pending_row(1, log.len() as u64));
    engine.commit(usize::MAX);
}

fn catch_up(engine: &mut Engine, rows: &[Vec<u8>]) -> Result<usize, Error> {
    let rows: Vec<&[u8]> = rows.iter().map(Vec::as_slice).collect();
    engine.catch_up(&rows)
}

#[test]
fn a_contribution_pending_when_a_leave_arrives_falls_away_and_its_local_effects_stay() {
    let (mut first, mut second) = tabs();
    let mut log = Vec::new();
    assert_eq!(record(&mut second, ADA, 100, Some(NOIR)), Outcome::Recorded);
    first
        .leave(ADA, NOIR, LeaveMode::StopForward, T0)
        .expect("leave");
    flush(&mut first, &mut log);

    assert_eq!(catch_up(&mut second, &log), Ok(1));
    assert_eq!(second.contributed().gated, 1);
    assert_eq!(second.contributed().recorded, 0);
    flush(&mut second, &mut log);
    catch_up(&mut first, &log[1..]).expect("a good row");
    assert_eq!(mass(&first, NOIR), []);
    assert_eq!(first.profile(ADA, T0).signals, 1);
    assert_eq!(first.snapshot(), second.snapshot());
}

#[test]
fn a_rejoin_elsewhere_does_not_revive_what_was_gated() {
    let (mut first, mut second) = tabs();
    let mut log = Vec::new();
    first
        .leave(ADA, NOIR, LeaveMode::StopForward, T0)
        .expect("leave");
    flush(&mut first, &mut log);
    catch_up(&mut second, &log).expect("a good row");
    assert_eq!(record(&mut second, ADA, 100, Some(NOIR)), Outcome::Left);
    first.rejoin(ADA, NOIR, None, T0).expect("rejoin");
    flush(&mut first, &mut log);
    catch_up(&mut second, &log[1..]).expect("a good row");
    flush(&mut second, &mut log);
    catch_up(&mut first, &log[2..]).expect("a good row");
    assert_eq!(mass(&first, NOIR), []);
    assert_eq!(first.snapshot(), second.snapshot());
}

#[test]
fn a_leave_that_met_a_rejoin_closes_the_new_epoch() {
    let (mut first, mut second) = tabs();
    let mut log = Vec::new();
    first
        .leave(ADA, NOIR, LeaveMode::StopForward, T0)
        .expect("leave");
    first.rejoin(ADA, NOIR, None, T0).expect("rejoin");
    flush(&mut first, &mut log);
    second
        .leave(ADA, NOIR, LeaveMode::StopForward, T0 + 1)
        .expect("leave");
    catch_up(&mut second, &log).expect("a good row");
    flush(&mut second, &mut log);
    catch_up(&mut first, &log[1..]).expect("a good row");
    assert_eq!(record(&mut first, ADA, 1, Some(NOIR)), Outcome::Left);
    assert_eq!(first.membership_epoch(ADA, NOIR), Some(1));
    first.undo();
    assert_eq!(first.snapshot(), second.snapshot());
}

#[test]
fn a_layer_left_and_joined_again_elsewhere_voids_what_was_pending_across_it() {
    let (mut first, mut second) = tabs();
    let mut log = Vec::new();
    record(&mut second, ADA, 100, Some(NOIR));
    first
        .leave_community_layer(ADA, T0)
        .expect("leave the layer");
    first.rejoin_community_layer(ADA).expect("rejoin the layer");
    flush(&mut first, &mut log);
    catch_up(&mut second, &log).expect("a good row");
    assert_eq!(mass(&second, NOIR), []);
    assert_eq!(record(&mut second, ADA, 200, Some(NOIR)), Outcome::Recorded);
    assert_eq!(mass(&second, NOIR), [(200, 1)]);
    flush(&mut second, &mut log);
    catch_up(&mut first, &log[1..]).expect("a good row");
    assert_eq!(first.snapshot(), second.snapshot());
}

#[test]
fn a_fold_of_the_log_from_the_start_gives_the_same_bytes() {
    let mut log = Vec::new();
    let mut first = engine();
    first.name(31, "thirty-one").expect("a name");
    first.join(ADA, NOIR, None, T0).expect("join");
    record(&mut first, ADA, 31, Some(NOIR));
    flush(&mut first, &mut log);
    first
        .leave(ADA, NOIR, LeaveMode::StopForward, T0)
        .expect("leave");
    record(&mut first, ADA, 31, Some(NOIR));
    first.join(BOB, NOIR, None, T0).expect("join");
    record(&mut first, BOB, 32, Some(NOIR));
    flush(&mut first, &mut log);
    first.forget_user(BOB, T0).expect("forget");
    first.rejoin(ADA, NOIR, None, T0).expect("rejoin");
    record(&mut first, ADA, 33, Some(NOIR));
    flush(&mut first, &mut log);

    // The first row holds the schema, so folding starts from nothing at all.
    let mut folded = Engine::restore(&empty(), None).expect("an empty database");
    catch_up(&mut folded, &log).expect("good rows");
    assert_eq!(folded.snapshot(), first.snapshot());
}

/// A database before its first row, which is where every log starts.
fn empty() -> Vec<u8> {
    let mut engine = engine();
    engine.undo();
    engine.snapshot()
}

#[test]
fn damaged_or_newer_rows_change_nothing() {
    let (mut first, mut second) = tabs();
    let mut log = Vec::new();
    record(&mut first, ADA, 1, Some(NOIR));
    flush(&mut first, &mut log);
    record(&mut second, ADA, 2, Some(NOIR));
    let before = (
        second.snapshot(),
        second.pending(),
        second.community_mass(NOIR),
    );
    let mut damaged = log[0].clone();
    *damaged.last_mut().expect("bytes") ^= 1;
    assert_eq!(
        catch_up(&mut second, &[log[0].clone(), damaged]),
        Err(Error::CorruptEvents)
    );
    let mut newer = log[0].clone();
    newer[0] = 4;
    assert_eq!(
        catch_up(&mut second, &[newer]),
        Err(Error::UnsupportedVersion)
    );
    assert_eq!(
        (
            second.snapshot(),
            second.pending(),
            second.community_mass(NOIR)
        ),
        before
    );
}

#[test]
fn two_tabs_that_make_the_database_at_once_agree_on_its_name_and_schema() {
    use tidegate::engine::Config;
    use tidegate::signals::Kind;
    let own = |name: &str, half_life_ns| Kind {
        name: name.into(),
        weight: 1.0,
        half_life_ns,
        seen: false,
        hide: false,
    };
    let config = |origin, kinds| Config {
        origin,
        dimensions: 2,
        kinds,
    };
    let mut log = Vec::new();
    let mut first = Engine::new(&config(1, vec![own("a", 5), own("b", 5)])).expect("a database");
    let mut second = Engine::new(&config(2, vec![own("c", 5), own("b", 6)])).expect("a database");
    flush(&mut first, &mut log);
    catch_up(&mut second, &log).expect("a good row");
    flush(&mut second, &mut log);
    catch_up(&mut first, &log[1..]).expect("a good row");
    assert_eq!((first.origin(), second.origin()), (1, 1));
    assert_eq!(first.snapshot(), second.snapshot());
    assert!(
        first.kind("c").is_some(),
        "what does not contradict is added"
    );
    assert_eq!(
        second.open_schema(2, &[own("b", 6)]),
        Err(Error::SchemaMismatch)
    );
}

#[test]
fn joining_at_once_without_a_policy_does_not_widen_the_one_that_was_given() {
    use tidegate::governance::{CommunityId, ShareMode, SharePolicy};
    let (mut first, mut second) = tabs();
    let mut log = Vec::new();
    let community = CommunityId(8);
    let none = SharePolicy {
        version: 2,
        mode: ShareMode::None,
    };
    first.join(ADA, community, Some(none), T0).expect("join");
    flush(&mut first, &mut log);
    second.join(ADA, community, None, T0).expect("join");
    assert_eq!(
        record(&mut second, ADA, 1, Some(community)),
        Outcome::Recorded
    );
    catch_up(&mut second, &log).expect("a good row");
    assert_eq!(second.community_mass(community), []);
    assert_eq!(
        record(&mut second, ADA, 1, Some(community)),
        Outcome::PolicyExcluded
    );
}

/// What a leave, so many nanoseconds after the beginning, wrote down.
fn tombstone(user: UserId, community: Option<CommunityId>, after: u64) -> Tombstone {
    Tombstone {
        user,
        community,
        at_ns: T0 + after,
        mark: 1_000 + after,
        again: false,
    }
}

#[test]
fn a_tombstone_takes_back_what_is_pending_and_closes_the_gate() {
    let (mut first, mut second) = tabs();
    let mut log = Vec::new();
    record(&mut first, ADA, 100, Some(NOIR));
    assert!(first.honour(&tombstone(ADA, Some(NOIR), 5), 0));
    assert!(
        !first.honour(&tombstone(ADA, Some(NOIR), 6), 0),
        "closed already"
    );
    assert!(
        !first.honour(&tombstone(BOB, Some(NOIR), 5), 0),
        "no membership"
    );
    assert_eq!(mass(&first, NOIR), []);
    assert_eq!(
        (first.contributed().recorded, first.contributed().gated),
        (0, 1)
    );
    assert_eq!(record(&mut first, ADA, 100, Some(NOIR)), Outcome::Left);
    flush(&mut first, &mut log);
    catch_up(&mut second, &log).expect("a good row");
    assert_eq!(first.snapshot(), second.snapshot());
    let row = first.membership(ADA, NOIR).expect("row");
    assert_eq!(row.stop_forward_at_ns, Some(T0 + 5));
    assert_eq!(first.profile(ADA, T0).signals, 2);
}

#[test]
fn a_layer_tombstone_takes_back_what_is_pending_and_closes_the_layer() {
    let (mut first, _) = tabs();
    record(&mut first, ADA, 100, Some(NOIR));
    assert!(first.honour(&tombstone(ADA, None, 5), 0));
    assert!(!first.honour(&tombstone(ADA, None, 6), 0));
    assert_eq!(mass(&first, NOIR), []);
    assert_eq!(record(&mut first, ADA, 100, Some(NOIR)), Outcome::LayerLeft);
    assert_eq!(first.community_layer_status(ADA).left_at_ns, Some(T0 + 5));
}

#[test]
fn a_tab_left_behind_by_a_compaction_reloads_and_keeps_what_is_pending() {
    let (mut first, mut second) = tabs();
    let mut log = Vec::new();
    second.name(700, "seven hundred").expect("a name");
    record(&mut second, ADA, 700, Some(NOIR));
    first
        .leave(ADA, NOIR, LeaveMode::StopForward, T0)
        .expect("leave");
    record(&mut first, ADA, 101, None);
    flush(&mut first, &mut log);
    let compacted = first.snapshot();
    second.reload(&compacted).expect("a snapshot");
    assert_eq!(mass(&second, NOIR), []);
    assert_eq!(second.pending(), 2, "the name and the signal");
    flush(&mut second, &mut log);
    catch_up(&mut first, &log[1..]).expect("a good row");
    assert_eq!(first.snapshot(), second.snapshot());
    assert_eq!(first.profile(ADA, T0).signals, 2);
    let other = engine_of(12).snapshot();
    assert_eq!(second.reload(&other), Err(Error::CorruptSnapshot));
}

fn engine_of(origin: u64) -> Engine {
    let mut engine = Engine::new(&tidegate::engine::Config {
        origin,
        ..Default::default()
    })
    .expect("a database");
    engine.commit(usize::MAX);
    engine
}

#[test]
fn a_tombstone_closes_an_epoch_that_is_still_pending() {
    let (mut first, _) = tabs();
    first
        .leave(ADA, NOIR, LeaveMode::StopForward, T0)
        .expect("leave");
    first.rejoin(ADA, NOIR, None, T0).expect("rejoin");
    record(&mut first, ADA, 100, Some(NOIR));
    assert!(first.honour(&tombstone(ADA, Some(NOIR), 5), 0));
    assert_eq!(mass(&first, NOIR), []);
    assert_eq!(record(&mut first, ADA, 100, Some(NOIR)), Outcome::Left);
    assert_eq!(first.membership_epoch(ADA, NOIR), Some(1));
}

#[test]
fn a_tombstone_closes_a_rejoin_that_had_not_seen_it_and_no_other() {
    for community in [Some(NOIR), None] {
        let (mut first, mut second) = tabs();
        let mut log = Vec::new();
        let leave = |engine: &mut Engine, mark| {
            engine.mark_leaves(mark);
            match community {
                Some(community) => {
                    let left = engine.leave(ADA, community, LeaveMode::StopForward, T0 + 5);
                    left.expect("leave");
                }
                None => drop(engine.leave_community_layer(ADA, T0 + 5).expect("leave")),
            }
        };
        let open = |engine: &mut Engine| match community {
            Some(community) => drop(engine.rejoin(ADA, community, None, T0 + 6).expect("rejoin")),
            None => drop(engine.rejoin_community_layer(ADA).expect("rejoin")),
        };
        let contributes = |engine: &Engine| engine.membership(ADA, NOIR).expect("row").contributing;
        // One tab left and came back, all in one instant of the clock.
        leave(&mut first, 1_005);
        open(&mut first);
        flush(&mut first, &mut log);
        // The other had seen neither, and was killed after its leave of the same instant.
        leave(&mut second, 1_006);
        drop(second);
        let known = tombstone(ADA, community, 5);
        assert!(
            !first.honour(&known, 0),
            "the leave of that mark is in the log"
        );
        assert!(contributes(&first));
        let unknown = Tombstone {
            mark: 1_006,
            ..known
        };
        assert!(first.honour(&unknown, 0));
        assert!(!contributes(&first));
        assert!(!first.honour(&unknown, 0), "once");
        // A leave of somebody who has left already closes rejoins that it had not seen. There are none.
        let again = Tombstone {
            mark: 1_007,
            again: true,
            ..known
        };
        let before = first.pending();
        assert!(!first.honour(&again, 0));
        assert_eq!(first.pending(), before, "R3: leaving again changes nothing");
        // Whoever reads it before opening the gate has it in the log, and it closes nothing when it comes back.
        first.recall(&again, 0);
        assert_eq!(first.pending(), before + 1);
        open(&mut first);
        assert!(!first.honour(&again, 0));
        assert!(contributes(&first));
        flush(&mut first, &mut log);
        let mut stored = Engine::restore(&first.snapshot(), None).expect("a snapshot");
        assert!(!stored.honour(&again, 0), "marks are stored");
        assert!(stored.honour(
            &Tombstone {
                mark: 1_008,
                ..known
            },
            0
        ));
    }
}

#[test]
fn a_tombstone_read_behind_a_row_on_its_way_withdraws_what_is_not_sent() {
    for community in [Some(NOIR), None] {
        for stored in [true, false] {
            let (mut first, mut second) = tabs();
            let mut log = Vec::new();
            record(&mut first, ADA, 100, Some(NOIR));
            record(&mut first, BOB, 100, None);
            let (sent, row) = (first.pending(), first.pending_row(1, 1));
            record(&mut first, ADA, 101, Some(NOIR));
            assert!(first.honour(&tombstone(ADA, community, 5), sent));
            assert_eq!(mass(&first, NOIR), [(100, 1)], "what is on its way stays");
            assert_eq!(first.contributed().recorded, 1);
            if stored {
                log.push(row);
                first.commit(sent);
            }
            first.row_failed();
            let counted: &[(u64, u64)] = if stored { &[(100, 1)] } else { &[] };
            assert_eq!(mass(&first, NOIR), counted);
            flush(&mut first, &mut log);
            catch_up(&mut second, &log).expect("good rows");
            assert_eq!(mass(&second, NOIR), counted);
            assert_eq!(first.snapshot(), second.snapshot());
            assert_eq!(first.profile(ADA, T0).signals, 2, "R2: local first");
        }
    }
}
