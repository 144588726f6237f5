//! Bytes as an export of another device: refused with nothing changed, or taken in once, and no gate opens (R7, R17).

use super::base::{self, Base};
use super::memory::bounded;
use super::seal::Frame;
use super::sound;
use tidegate::Error;
use tidegate::engine::{Engine, ImportReport};
use tidegate::governance::{CommunityId, CommunityMembership, MembershipStatus, UserId};
use tidegate::query::Profile;

const FRAME: Frame = Frame {
    length: None,
    body: 10,
};
const USERS: [UserId; 5] = [base::ADA, base::EVE, UserId(2), UserId(4), UserId(5)];
const COMMUNITIES: [CommunityId; 3] = [base::NOIR, base::WESTERN, base::CLUB];

pub fn run(input: &[u8]) {
    let export = FRAME.seal(input);
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
