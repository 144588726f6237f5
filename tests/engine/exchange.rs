//! Events between devices: export, acknowledge, import (R7, R12, R17).

use crate::support::{ADA, BOB, NOIR, SECOND, T0, kind, mass, record, view};
use tidegate::Error;
use tidegate::engine::{Config, Engine, ImportReport, Signal};
use tidegate::governance::{CommunityId, ItemId, LeaveMode, MembershipStatus, Outcome, UserId};
use tidegate::signals::Kind;

fn device(origin: u64) -> Engine {
    let mut engine = Engine::new(&Config {
        origin,
        ..Config::default()
    })
    .expect("a plain configuration");
    engine.set_outbox(true);
    engine.commit(usize::MAX);
    engine
}

/// All that waits, with everything appended first.
fn export(engine: &mut Engine) -> (Vec<u8>, String) {
    engine.commit(usize::MAX);
    engine.export(None, None).expect("an export")
}

fn import(engine: &mut Engine, bytes: &[u8]) -> ImportReport {
    let report = engine.import(bytes, T0).expect("a good export");
    engine.commit(usize::MAX);
    report
}

#[test]
fn two_devices_end_with_the_same_aggregates() {
    let (mut phone, mut laptop) = (device(1), device(2));
    phone.join(ADA, NOIR, None, T0).expect("join");
    laptop.join(BOB, NOIR, None, T0).expect("join");
    for item in 0..50 {
        record(&mut phone, ADA, item % 7, Some(NOIR));
        record(&mut laptop, BOB, item % 5, Some(NOIR));
        record(&mut phone, ADA, 1_000, None);
    }
    let (from_phone, from_laptop) = (export(&mut phone).0, export(&mut laptop).0);
    let report = import(&mut phone, &from_laptop);
    assert_eq!(
        report,
        ImportReport {
            applied: 51,
            ..ImportReport::default()
        }
    );
    import(&mut laptop, &from_phone);
    assert_eq!(mass(&phone, NOIR), mass(&laptop, NOIR));
    assert_eq!(
        mass(&phone, NOIR)
            .iter()
            .map(|(_, count)| count)
            .sum::<u64>(),
        100
    );
    assert_eq!(laptop.profile(ADA, T0).signals, 0, "no local effects");
    assert!(
        !mass(&laptop, NOIR).iter().any(|(item, _)| *item == 1_000),
        "nothing local travels"
    );

    let again = import(&mut phone, &from_laptop);
    assert_eq!(
        again,
        ImportReport {
            duplicate: 51,
            ..ImportReport::default()
        }
    );
    let own = import(&mut phone, &from_phone);
    assert_eq!(
        own,
        ImportReport {
            duplicate: 51,
            ..ImportReport::default()
        },
        "own events that come back"
    );
}

#[test]
fn a_leave_drops_what_waits_and_only_the_leave_travels() {
    let (mut phone, mut laptop) = (device(1), device(2));
    phone.join(ADA, NOIR, None, T0).expect("join");
    phone.join(BOB, NOIR, None, T0).expect("join");
    for item in 0..5 {
        record(&mut phone, ADA, item, Some(NOIR));
    }
    record(&mut phone, BOB, 9, Some(NOIR));
    phone.commit(usize::MAX);
    phone
        .leave(ADA, NOIR, LeaveMode::StopForward, T0)
        .expect("leave");
    // Not even while the leave is pending.
    let (bytes, _) = phone.export(None, None).expect("an export");
    let report = import(&mut laptop, &bytes);
    assert_eq!((report.applied, mass(&laptop, NOIR)), (2, vec![(9, 1)]));
    let (bytes, _) = export(&mut phone);
    let report = import(&mut laptop, &bytes);
    assert_eq!(
        (report.applied, report.duplicate),
        (1, 2),
        "the leave itself"
    );
    assert_eq!(mass(&laptop, NOIR), [(9, 1)]);
    assert!(
        laptop
            .membership(ADA, NOIR)
            .is_some_and(|row| row.stop_forward_at_ns.is_some())
    );
}

#[test]
fn leaving_the_layer_drops_what_waits_in_every_community() {
    let mut phone = device(1);
    for community in [NOIR, CommunityId(8)] {
        phone.join(ADA, community, None, T0).expect("join");
        record(&mut phone, ADA, 1, Some(community));
    }
    phone.commit(usize::MAX);
    phone
        .leave_community_layer(ADA, T0)
        .expect("leave the layer");
    let mut laptop = device(2);
    let (bytes, _) = export(&mut phone);
    let report = import(&mut laptop, &bytes);
    assert_eq!(
        (report.applied, mass(&laptop, NOIR)),
        (3, vec![]),
        "two joins and the layer"
    );
    assert_eq!(
        laptop.community_layer_status(ADA).status,
        MembershipStatus::Left
    );
}

#[test]
fn acknowledged_events_are_not_exported_again_and_a_gap_is_refused() {
    let (mut phone, mut laptop) = (device(1), device(2));
    phone.join(ADA, NOIR, None, T0).expect("join");
    record(&mut phone, ADA, 1, Some(NOIR));
    let (first, cursor) = export(&mut phone);
    record(&mut phone, ADA, 2, Some(NOIR));
    phone.commit(usize::MAX);
    let (since, _) = phone.export(None, Some(&cursor)).expect("an export");
    assert!(
        since.len() < export(&mut phone).0.len(),
        "only what came after the cursor"
    );
    phone.acknowledge(&cursor).expect("a cursor");
    let (second, _) = export(&mut phone);
    laptop.commit(usize::MAX);
    let before = laptop.snapshot();
    assert_eq!(laptop.import(&second, T0), Err(Error::SequenceGap));
    assert_eq!((laptop.pending(), laptop.snapshot()), (0, before));
    import(&mut laptop, &first);
    assert_eq!(import(&mut laptop, &second).applied, 1);
    assert_eq!(mass(&laptop, NOIR), [(1, 1), (2, 1)]);
}

#[test]
fn acknowledging_one_community_keeps_the_others_waiting() {
    let mut phone = device(1);
    let other = CommunityId(8);
    for community in [NOIR, other] {
        phone.join(ADA, community, None, T0).expect("join");
        record(&mut phone, ADA, 1, Some(community));
    }
    phone.commit(usize::MAX);
    let (_, cursor) = phone.export(Some(&[NOIR]), None).expect("an export");
    phone.acknowledge(&cursor).expect("a cursor");
    let mut laptop = device(2);
    let (bytes, _) = export(&mut phone);
    assert_eq!(import(&mut laptop, &bytes).applied, 2);
    assert_eq!(
        (mass(&laptop, NOIR), mass(&laptop, other)),
        (vec![], vec![(1, 1)])
    );
}

#[test]
fn cursors_of_nobody_are_refused() {
    let (mut phone, laptop) = (device(1), device(2));
    let foreign = laptop.export(None, None).expect("an export").1;
    for bad in ["", "zz", "0", "00", &foreign] {
        assert_eq!(
            phone.acknowledge(bad),
            Err(Error::InvalidArgument("cursor")),
            "{bad:?}"
        );
        assert_eq!(
            phone.export(None, Some(bad)),
            Err(Error::InvalidArgument("since")),
            "{bad:?}"
        );
    }
}

#[test]
fn every_prefix_changed_byte_and_trailing_byte_refuses_an_export_whole() {
    let (mut phone, mut laptop) = (device(1), device(2));
    phone.name(500, "five hundred").expect("a name");
    phone.join(ADA, NOIR, None, T0).expect("join");
    record(&mut phone, ADA, 500, Some(NOIR));
    let (bytes, _) = export(&mut phone);
    let before = laptop.snapshot();
    let refused = |laptop: &mut Engine, bytes: &[u8]| {
        let error = laptop.import(bytes, T0).expect_err("damaged");
        assert!(
            matches!(error, Error::CorruptEvents | Error::UnsupportedVersion),
            "{error:?}"
        );
    };
    for length in 0..bytes.len() {
        refused(&mut laptop, &bytes[..length]);
    }
    for at in 0..bytes.len() {
        for change in 1..=255 {
            let mut damaged = bytes.clone();
            damaged[at] ^= change;
            refused(&mut laptop, &damaged);
        }
    }
    refused(&mut laptop, &[bytes.as_slice(), &[0]].concat());
    assert_eq!((laptop.pending(), laptop.snapshot()), (0, before));
    import(&mut laptop, &bytes);
    assert_eq!(laptop.name_of(500), Some("five hundred"));
}

#[test]
fn kinds_travel_by_name() {
    let own = |name: &str| Kind {
        name: name.into(),
        weight: 2.0,
        half_life_ns: SECOND,
        seen: false,
        hide: false,
    };
    let config = |origin, kinds| Config {
        origin,
        dimensions: 0,
        kinds,
    };
    let mut phone = Engine::new(&config(1, vec![own("clap"), own("wave")])).expect("a database");
    let mut laptop = Engine::new(&config(2, vec![own("wave")])).expect("a database");
    phone.set_outbox(true);
    phone.join(ADA, NOIR, None, T0).expect("join");
    laptop.join(BOB, NOIR, None, T0).expect("join");
    for name in ["clap", "wave", "wave"] {
        let signal = Signal {
            kind: kind(&phone, name),
            ..view(&phone, ADA, 1, Some(NOIR))
        };
        assert_eq!(phone.signal(&signal, T0), Ok(Outcome::Recorded));
    }
    let (bytes, _) = export(&mut phone);
    assert_eq!(import(&mut laptop, &bytes).applied, 4);
    assert!(laptop.kind("clap").is_some());
    let score = |engine: &mut Engine, user| {
        let query = tidegate::query::Query {
            community: Some(NOIR),
            include_seen: true,
            ..tidegate::query::Query::new(user, T0 + SECOND)
        };
        engine
            .query(&query)
            .items
            .first()
            .map(|item| item.community.to_bits())
    };
    assert_eq!(score(&mut phone, ADA), score(&mut laptop, BOB));
}

#[test]
fn an_imported_layer_leave_closes_and_an_imported_return_does_not_open_it_here() {
    let (mut phone, mut laptop) = (device(1), device(2));
    for device in [&mut phone, &mut laptop] {
        device.join(ADA, NOIR, None, T0).expect("join");
    }
    phone
        .leave_community_layer(ADA, T0 + 5)
        .expect("leave the layer");
    let (bytes, _) = export(&mut phone);
    import(&mut laptop, &bytes);
    assert_eq!(record(&mut laptop, ADA, 1, Some(NOIR)), Outcome::LayerLeft);
    phone.rejoin_community_layer(ADA).expect("rejoin the layer");
    assert_eq!(record(&mut phone, ADA, 2, Some(NOIR)), Outcome::Recorded);
    let (bytes, _) = export(&mut phone);
    let report = import(&mut laptop, &bytes);
    assert_eq!(
        (report.applied, mass(&laptop, NOIR)),
        (2, vec![(2, 1)]),
        "what counts there counts"
    );
    assert_eq!(
        record(&mut laptop, ADA, 1, Some(NOIR)),
        Outcome::LayerLeft,
        "not reopened here"
    );
    laptop
        .rejoin_community_layer(ADA)
        .expect("rejoin the layer");
    assert_eq!(record(&mut laptop, ADA, 1, Some(NOIR)), Outcome::Recorded);
}

#[test]
fn a_restored_copy_keeps_marks_and_does_not_export_what_the_original_has() {
    let (mut phone, mut laptop) = (device(1), device(2));
    phone.join(ADA, NOIR, None, T0).expect("join");
    record(&mut phone, ADA, 1, Some(NOIR));
    let (bytes, _) = export(&mut phone);
    import(&mut laptop, &bytes);
    let mut copy = Engine::restore(&laptop.snapshot(), Some(3)).expect("a snapshot");
    assert_eq!(import(&mut copy, &bytes).duplicate, 2);
    let mut moved = Engine::restore(&phone.snapshot(), Some(4)).expect("a snapshot");
    assert_eq!(
        import(&mut moved, &bytes).duplicate,
        2,
        "what was its own is known"
    );
    let (from_copy, _) = export(&mut moved);
    assert_eq!(import(&mut laptop, &from_copy), ImportReport::default());
}

#[test]
fn a_clock_far_ahead_elsewhere_does_not_make_others_look_old() {
    let (mut phone, mut laptop) = (device(1), device(2));
    let century = 100 * 365 * 86_400 * SECOND;
    phone.join(ADA, NOIR, None, T0 + century).expect("join");
    let signal = view(&phone, ADA, 1, Some(NOIR));
    phone.signal(&signal, T0 + century).expect("a valid signal");
    laptop.join(BOB, NOIR, None, T0).expect("join");
    record(&mut laptop, BOB, 1, Some(NOIR));
    let (bytes, _) = export(&mut phone);
    assert_eq!(import(&mut laptop, &bytes).applied, 2);
    let query = tidegate::query::Query {
        community: Some(NOIR),
        include_seen: true,
        ..tidegate::query::Query::new(BOB, T0)
    };
    let community = laptop.query(&query).items[0].community;
    assert!(
        (community - 2.0 / 22.0).abs() < 1e-9,
        "both views weigh in: {community}"
    );
    assert_eq!(laptop.query(&query).items[0].id, ItemId(1));
    assert!(laptop.membership(UserId(9), NOIR).is_none());
}

/// An export whose checksum is right and that no engine wrote: one id has two names.
fn with_two_names_for_one_id() -> Vec<u8> {
    let kind = Kind {
        name: "new here".into(),
        weight: 1.0,
        half_life_ns: 1,
        seen: false,
        hide: false,
    };
    let nothing: [u8; 0] = [];
    let names = [(5_u64, "ada"), (5, "bob")];
    let tables = postcard::to_allocvec(&(
        vec![kind],
        names.to_vec(),
        nothing.to_vec(),
        nothing.to_vec(),
    ));
    let mut body = 77_u64.to_le_bytes().to_vec();
    body.extend(tables.expect("plain values"));
    let checksum = crc::Crc::<u32>::new(&crc::CRC_32_ISCSI).checksum(&body);
    let head = [b"TIDX\x01\x00".as_slice(), &checksum.to_le_bytes()].concat();
    [head, body].concat()
}

#[test]
fn an_export_with_two_names_for_one_id_is_refused_whole() {
    let mut engine = device(1);
    let before = (engine.pending_row(1, 1), engine.snapshot());
    let refused = engine.import(&with_two_names_for_one_id(), T0);
    assert_eq!(refused, Err(Error::CorruptEvents));
    assert!((engine.pending_row(1, 1), engine.snapshot()) == before);
    assert_eq!(engine.name_of(5), None);
    assert_eq!(engine.kind("new here"), None);
}
