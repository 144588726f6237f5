//! The model against cases worked out by hand: a model that is wrong would only teach the engine to be wrong with it.

use crate::history::T0;
use crate::ranking::{Query, Scored};
use crate::reference::{
    DAY, HOUR, Item, Kind, Model, Outcome, Policy, Refused, Share, Signal, State,
};

fn hourly() -> Model {
    let tick = |name: &str, weight| Kind {
        name: name.to_owned(),
        weight,
        half_life_ns: HOUR,
        seen: false,
        hide: false,
    };
    Model::new(2, &[tick("tick", 1.0), tick("tock", -1.0)])
}

fn kind(model: &Model, name: &str) -> usize {
    model
        .kinds
        .iter()
        .position(|kind| kind.name == name)
        .unwrap()
}

fn signal(model: &mut Model, item: u64, name: &str, at: u64, community: Option<u64>) -> Outcome {
    let kind = kind(model, name);
    let signal = Signal {
        user: 1,
        item,
        kind,
        weight: None,
        at: Some(at),
        community,
        agent: None,
    };
    model.signal(&signal, at).unwrap()
}

fn query(user: u64, at: u64) -> Query {
    Query {
        user,
        community: None,
        cohort: None,
        candidates: None,
        exclude: Vec::new(),
        include_seen: false,
        limit: 20,
        offset: 0,
        at,
        diversity: 0.0,
    }
}

fn close(left: f64, right: f64) -> bool {
    (left - right).abs() < 1e-12
}

fn item(id: u64) -> Item {
    Item {
        id,
        vector: None,
        categories: Vec::new(),
        creator: None,
        created_at_ms: None,
    }
}

#[test]
fn model_late_events_decay_to_the_same_sum_in_both_orders() {
    for times in [[T0, T0 + 2 * HOUR], [T0 + 2 * HOUR, T0]] {
        let mut model = hourly();
        for at in times {
            signal(&mut model, 7, "tick", at, None);
        }
        let read = |q| model.profile(1, q).items[&7].signed;
        assert!(close(read(T0 + 2 * HOUR), 1.25));
        assert!(close(read(T0 + 3 * HOUR), 0.625));
        assert!(
            close(read(T0), 1.25),
            "a time before the accumulator's own does not decay"
        );
        assert!(read(T0 + 50 * 365 * DAY).abs() < 1e-9);
    }
}

#[test]
fn model_toggles_give_the_epochs_of_case_a6() {
    let mut model = hourly();
    for _ in 0..3 {
        assert_eq!(model.join(1, 9, None, T0), Ok(0));
    }
    for now in [T0 + 10, T0 + 50, T0 + 5] {
        assert_eq!(
            model.leave(1, 9, false, now).unwrap().stop_forward_at,
            T0 + 10
        );
    }
    assert_eq!(model.member(1, 9).unwrap().state, State::Left);
    assert_eq!(model.rejoin(1, 9, None, T0 + 60), Ok(1));
    assert_eq!(model.join(1, 9, None, T0 + 61), Ok(1));
    assert_eq!(model.member(1, 9).unwrap().joined_at, T0);
    assert_eq!(model.rejoin(1, 8, None, T0), Err(Refused::NotFound));
    assert_eq!(model.leave(1, 9, true, T0), Err(Refused::Unsupported));
}

#[test]
fn model_gates_in_the_order_of_the_rule() {
    let mut model = hourly();
    let outcome = |model: &mut Model| signal(model, 3, "tick", T0, Some(9));
    assert_eq!(outcome(&mut model), Outcome::NotMember);
    model
        .join(
            1,
            9,
            Some(Policy {
                version: 3,
                share: Share::None,
            }),
            T0,
        )
        .unwrap();
    assert_eq!(outcome(&mut model), Outcome::PolicyExcluded);
    model.leave(1, 9, false, T0).unwrap();
    assert_eq!(outcome(&mut model), Outcome::Left);
    model.leave_layer(1, T0).unwrap();
    assert_eq!(outcome(&mut model), Outcome::LayerLeft);
    model
        .rejoin(
            1,
            9,
            Some(Policy {
                version: 3,
                share: Share::All,
            }),
            T0,
        )
        .unwrap();
    assert_eq!(outcome(&mut model), Outcome::LayerLeft);
    model.rejoin_layer(1).unwrap();
    assert_eq!(outcome(&mut model), Outcome::Recorded);
    assert_eq!(model.mass(9), [(3, 1)]);
    assert_eq!(model.profile(1, T0).signals, 6);
}

#[test]
fn model_does_not_fill_back_on_consent() {
    let mut model = hourly();
    model.join(1, 9, None, T0).unwrap();
    signal(&mut model, 100, "tick", T0, Some(9));
    model.leave(1, 9, false, T0).unwrap();
    for _ in 0..5 {
        signal(&mut model, 200, "tick", T0, Some(9));
    }
    model.rejoin(1, 9, None, T0).unwrap();
    signal(&mut model, 300, "tick", T0, Some(9));
    assert_eq!(model.mass(9), [(100, 1), (300, 1)]);
    let items = model.profile(1, T0).items;
    assert!(
        [(100, 1.0), (200, 5.0), (300, 1.0)]
            .iter()
            .all(|(id, sum)| close(items[id].signed, *sum))
    );
}

#[test]
fn model_forgets_what_is_local_and_keeps_what_counted() {
    let mut model = hourly();
    model.join(1, 9, None, T0).unwrap();
    model.set_cohorts(1, &[4, 4]).unwrap();
    signal(&mut model, 100, "tick", T0, Some(9));
    model.set_cohorts(1, &[]).unwrap();
    signal(&mut model, 200, "hide", T0, None);
    let (receipts, changed) = model.forget(1, T0 + 1).unwrap();
    assert!(changed && receipts.len() == 1 && receipts[0].changed);
    assert_eq!(model.mass(9), [(100, 1)]);
    assert!(
        model.known(100) && !model.known(200),
        "only what counted somewhere still refers to its item"
    );
    assert!(model.profile(1, T0).hidden.is_empty() && model.cohorts(1).is_empty());
    let of_cohort = Query {
        cohort: Some(4),
        ..query(2, T0)
    };
    assert!(close(model.rank(&of_cohort).scored[0].cohort, 0.5 / 21.0));
    assert!(!model.forget(1, T0 + 2).unwrap().1);
}

#[test]
fn model_scores_add_up_as_written() {
    let mut model = hourly();
    #[allow(clippy::cast_precision_loss, reason = "T0 in ms is exact")]
    let created_at_ms = Some((T0 / 1_000_000) as f64 - 30.0 * 86_400_000.0);
    model
        .upsert(&Item {
            vector: Some(vec![3.0, 4.0]),
            categories: vec!["a".into()],
            ..item(1)
        })
        .unwrap();
    model
        .upsert(&Item {
            vector: Some(vec![1.0, 0.0]),
            creator: Some(5),
            created_at_ms,
            ..item(2)
        })
        .unwrap();
    model
        .upsert(&Item {
            categories: vec!["b".into(), "a".into()],
            creator: Some(5),
            ..item(3)
        })
        .unwrap();
    model.join(1, 9, None, T0).unwrap();
    signal(&mut model, 3, "tick", T0, Some(9));
    signal(&mut model, 3, "tock", T0, Some(9));
    signal(&mut model, 3, "tick", T0, Some(9));
    let ranking = model.rank(&Query {
        community: Some(9),
        ..query(1, T0)
    });
    let score = |id| {
        *ranking
            .scored
            .iter()
            .find(|scored| scored.id == id)
            .unwrap()
    };
    // Item 3 has S = 1 and E = 3. It has no vector; half of the centroid of "a" stands in: the direction (0.6, 0.8).
    // Both items that have categories have "a", one has "b".
    let (a, b) = (1.0 / (11.0 + 2.0 * 3.0), 1.0 / (11.0 + 2.0 * 0.5 * 3.0));
    let of_three = 1.0 / 7.0 + 0.4 * (a + b) / 2.0_f64.sqrt() + 0.4 / 11.0;
    assert!(close(score(3).local, of_three) && close(score(3).community, 1.0 / 23.0));
    assert!(close(score(1).local, 0.4 * a + 2.5 * 3.0 / 11.0));
    assert!(close(
        score(2).local,
        0.4 / 11.0 + 2.5 * 0.6 * 3.0 / 11.0 + 0.025
    ));
    assert_eq!(
        score(3).score.to_bits(),
        (score(3).local + score(3).community + 0.0).to_bits()
    );
    let preference = model.profile(1, T0).preference.direction.unwrap();
    assert!(close(preference[0], 0.6) && close(preference[1], 0.8));
}

#[test]
fn model_filters_before_it_counts() {
    let mut model = hourly();
    for id in 0..5 {
        model.upsert(&item(id)).unwrap();
    }
    signal(&mut model, 0, "hide", T0, None);
    signal(&mut model, 1, "view", T0, None);
    let wanted = Query {
        candidates: Some(vec![0, 0, 1, 2, 3, 77]),
        exclude: vec![3],
        ..query(1, T0)
    };
    let ranking = model.rank(&wanted);
    assert_eq!(
        (ranking.candidates, ranking.hidden, ranking.seen),
        (3, 1, 1)
    );
    assert_eq!(
        ranking
            .scored
            .iter()
            .map(|scored| scored.id)
            .collect::<Vec<_>>(),
        [2]
    );
    assert_eq!(
        model
            .rank(&Query {
                include_seen: true,
                ..wanted
            })
            .seen,
        0
    );
    assert!(model.remove(2) && !model.remove(2) && !model.known(2));
    signal(&mut model, 2, "view", T0, None);
    assert!(!model.known(2), "only an upsert brings a removed item back");
    assert_eq!(model.upsert(&item(2)), Ok(true));
    assert_eq!(model.upsert(&item(2)), Ok(false));
}

#[test]
fn model_diversity_counts_what_stands_before() {
    let mut model = hourly();
    model
        .upsert(&Item {
            categories: vec!["a".into(), "b".into()],
            creator: Some(5),
            ..item(1)
        })
        .unwrap();
    model
        .upsert(&Item {
            categories: vec!["a".into()],
            creator: Some(5),
            ..item(2)
        })
        .unwrap();
    let next = Scored {
        id: 1,
        score: 2.0,
        local: 2.0,
        community: 0.0,
        cohort: 0.0,
    };
    assert!(close(model.diverse_value(&[], next, 0.5), 1.0));
    // One of two categories and the creator: n = 0.5 + 1.
    assert!(close(
        model.diverse_value(&[2], next, 0.5),
        1.0 - 0.5 * (1.0 - 1.0 / 2.5)
    ));
}

#[test]
fn model_layer_times_strictly_increase() {
    let mut model = hourly();
    assert_eq!(model.leave_layer(1, T0).unwrap().left_at, Some(T0));
    assert_eq!(model.leave_layer(1, T0 + 5).unwrap().left_at, Some(T0));
    assert_eq!(model.rejoin_layer(1).unwrap().left_at, Some(T0));
    assert_eq!(
        model.leave_layer(1, T0 - HOUR).unwrap().left_at,
        Some(T0 + 1)
    );
}
