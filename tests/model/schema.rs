//! What the random histories leave alone, as it would change what they mean: the schema (R19) and names (R16).

use tidegate::Error;
use tidegate::engine::{Config, Engine, Signal};
use tidegate::governance::{ItemId, UserId};
use tidegate::signals::Kind;

use crate::history::T0;
use crate::reference::HOUR;

fn wave(weight: f64) -> Kind {
    Kind {
        name: "wave".to_owned(),
        weight,
        half_life_ns: HOUR,
        seen: true,
        hide: false,
    }
}

fn opened(dimensions: u32, kinds: Vec<Kind>) -> Engine {
    let mut engine = Engine::new(&Config {
        origin: 7,
        dimensions,
        kinds,
    })
    .unwrap();
    engine.commit(engine.pending());
    engine
}

/// The score that one signal of default weight gives its item.
fn default_weight(engine: &mut Engine, item: u64) -> f64 {
    let signal = Signal {
        user: UserId(1),
        item: ItemId(item),
        kind: engine.kind("wave").unwrap(),
        weight: None,
        at_ns: None,
        community: None,
        agent: None,
    };
    engine.signal(&signal, T0).unwrap();
    let profile = engine.profile(UserId(1), T0);
    profile.items.iter().find(|(id, _)| id.0 == item).unwrap().1
}

#[test]
fn new_kinds_enter_the_log_once_and_known_ones_must_fit() {
    let mut engine = opened(0, Vec::new());
    assert_eq!(engine.open_schema(0, &[wave(2.0)]), Ok(true));
    engine.commit(engine.pending());
    let bytes = engine.snapshot();
    assert_eq!(engine.open_schema(0, &[wave(2.0)]), Ok(false));
    let misfits = [
        Kind {
            half_life_ns: HOUR + 1,
            ..wave(2.0)
        },
        Kind {
            seen: false,
            ..wave(2.0)
        },
        Kind {
            hide: true,
            ..wave(2.0)
        },
    ];
    for misfit in misfits {
        assert_eq!(engine.open_schema(0, &[misfit]), Err(Error::SchemaMismatch));
    }
    assert_eq!(engine.pending(), 0);
    assert_eq!(engine.snapshot(), bytes);
}

#[test]
fn another_default_weight_holds_for_this_handle_only() {
    let mut engine = opened(0, vec![wave(2.0)]);
    assert_eq!(engine.open_schema(0, &[wave(3.0)]), Ok(false));
    assert!((default_weight(&mut engine, 1) - 3.0).abs() < 1e-12);
    engine.commit(engine.pending());
    let mut restored = Engine::restore(&engine.snapshot(), None).unwrap();
    assert!((default_weight(&mut restored, 2) - 2.0).abs() < 1e-12);
}

#[test]
fn dimensions_are_frozen_at_first_use() {
    let mut engine = opened(0, Vec::new());
    assert_eq!(engine.open_schema(3, &[]), Ok(true));
    engine.commit(engine.pending());
    assert_eq!(engine.open_schema(3, &[]), Ok(false));
    assert_eq!(engine.open_schema(0, &[]), Ok(false));
    assert_eq!(engine.open_schema(4, &[]), Err(Error::SchemaMismatch));
    assert_eq!(engine.pending(), 0);
}

#[test]
fn a_name_enters_the_log_with_the_first_event_that_uses_its_id() {
    let mut engine = opened(0, vec![wave(1.0)]);
    assert_eq!(engine.name(5, "five"), Ok(()));
    assert_eq!(engine.name(5, "five"), Ok(()));
    assert!(matches!(engine.name(5, "other"), Err(Error::InvalidId(_))));
    assert_eq!(engine.pending(), 0, "a name alone is no event");
    default_weight(&mut engine, 5);
    engine.commit(engine.pending());
    let restored = Engine::restore(&engine.snapshot(), None).unwrap();
    assert_eq!(restored.name_of(5), Some("five"));
    assert_eq!(restored.name_of(6), None);
}
