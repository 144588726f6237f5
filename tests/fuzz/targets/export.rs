//! Bytes as an export of another device: refused with nothing changed, or taken in once, and no gate opens (R7, R17).

use super::base::{self, Base};
use super::memory::bounded;
use super::seal::EXPORT;
use super::sound;
use tidegate::Error;
use tidegate::engine::{Engine, ImportReport};
use tidegate::governance::{CommunityId, CommunityMembership, MembershipStatus, UserId};
use tidegate::log::Event;
use tidegate::query::Profile;

const USERS: [UserId; 5] = [base::ADA, base::EVE, UserId(2), UserId(4), UserId(5)];
const COMMUNITIES: [CommunityId; 3] = [base::NOIR, base::WESTERN, base::CLUB];

pub fn run(input: &[u8]) {
    let export = EXPORT.seal(input);
    if export != input {
        let imported = base::receiver().engine.import(input, sound::NOW);
        assert!(imported.is_err(), "it was read against its checksum");
    }
    import(base::receiver(), &export);
}

fn import(base: Base, export: &[u8]) {
    let Base {
        mut engine,
        state: before,
    } = base;
    let plain = engine.clone();
    let contributing = sound::contributing(&engine);
    let (names, layer, local) = (names(&engine), layer(&engine), local(&mut engine));
    let masses = COMMUNITIES.map(|community| sound::mass(&engine, community));
    let report = match bounded(export.len(), || engine.import(export, sound::NOW)) {
        Ok(report) => report,
        Err(error) => {
            assert!(!matches!(error, Error::CorruptSnapshot), "{error:?}");
            let same = sound::state(&mut engine) == before && self::names(&engine) == names;
            assert!(same, "refused ({error:?}), it changed something");
            return;
        }
    };
    for row in sound::contributing(&engine) {
        assert!(contributing.contains(&row), "it opened {row:?}");
    }
    for (before, after) in layer.iter().zip(self::layer(&engine)) {
        let opened = before.status == MembershipStatus::Left && after.status != before.status;
        assert!(!opened, "it opened the layer of {:?}", after.user_id);
    }
    assert!(self::local(&mut engine) == local, "it had local effects");
    for (community, mass) in COMMUNITIES.iter().zip(masses) {
        let counted = sound::mass(&engine, *community) - mass;
        assert!(counted <= report.applied, "more counts than was applied");
    }
    assert_gate_asked(plain, &engine);

    let once = sound::state(&mut engine);
    let again = engine.import(export, sound::NOW);
    let duplicate = again.map_or(u64::MAX, |report| report.duplicate);
    let only = ImportReport {
        duplicate,
        ..ImportReport::default()
    };
    assert_eq!(again, Ok(only), "the second time is not only duplicates");
    assert!(
        sound::state(&mut engine) == once,
        "the second time changed something"
    );

    // What others did is not this database's to tell.
    engine.commit(usize::MAX);
    let (own, _) = engine.export(None, None).expect("an export of all");
    let told = engine.import(&own, sound::NOW).map(|report| report.applied);
    assert_eq!(told, Ok(0));
    sound::assert_goes_on(engine);
}

/// What was taken in counts as it does one by one.
fn assert_gate_asked(mut before: Engine, after: &Engine) {
    let (_, events) = after
        .read_row(&after.pending_row(1, 1))
        .unwrap_or_else(|error| {
            panic!("what was taken in is no row: {error:?}");
        });
    let new = &events[before.pending()..];
    // There is no way to take in a row of the layer alone.
    let layer = |event: &Event| matches!(event, Event::ReplayedLayer(_));
    if new.iter().any(layer) {
        return;
    }
    for event in new {
        match event {
            Event::Schema { kinds, .. } => {
                assert_eq!(before.open_schema(0, kinds), Ok(true));
            }
            Event::Replayed(record) => {
                assert!(sound::replay(&mut before, record).is_ok(), "{record:?}");
            }
            _ => {}
        }
    }
    for community in COMMUNITIES {
        let masses = [&before, after].map(|engine| engine.community_mass(community));
        assert_eq!(masses[0], masses[1]);
    }
}

fn names(engine: &Engine) -> Vec<Option<String>> {
    let name = |id| engine.name_of(id).map(String::from);
    (0..32).map(name).collect()
}

fn layer(engine: &Engine) -> Vec<CommunityMembership> {
    USERS
        .map(|user| engine.community_layer_status(user))
        .to_vec()
}

fn local(engine: &mut Engine) -> Vec<Profile> {
    USERS.map(|user| engine.profile(user, sound::NOW)).to_vec()
}
