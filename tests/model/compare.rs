//! Every view of the engine against the model's. Sums may differ in the last digits; what is not a sum may not.

use crate::engine_side::{Page, ProfilePage, Subject, View};
use crate::history::{COHORTS, COMMUNITIES, STRANGER, USERS};
use crate::ranking::{Profile, Query, Ranking, Scored, Sum};
use crate::reference::{Member, Model};

/// How far a sum may be from the naive one ("Facts and views", `docs/architecture.md`).
const TOLERANCE: f64 = 1e-9;
/// A preference is handed out in single precision.
const SINGLE: f64 = 1e-6;

/// What differs, in words; `Ok` where nothing does.
pub type Verdict = Result<(), String>;

/// Fails with what was compared and both sides.
pub fn same<T: PartialEq + std::fmt::Debug>(what: &str, engine: &T, model: &T) -> Verdict {
    if engine == model {
        Ok(())
    } else {
        Err(format!("{what}: engine {engine:?}, model {model:?}"))
    }
}

/// As `same`, but says only where bytes differ.
pub fn same_bytes(what: &str, engine: &[u8], model: &[u8]) -> Verdict {
    if engine == model {
        return Ok(());
    }
    let at = engine
        .iter()
        .zip(model)
        .position(|(left, right)| left != right);
    let (left, right) = (engine.len(), model.len());
    Err(format!(
        "{what}: {left} bytes against {right}, the first difference at {at:?}"
    ))
}

fn near(what: &str, engine: f64, model: f64, size: f64) -> Verdict {
    if (engine - model).abs() <= TOLERANCE * (1.0 + size) {
        Ok(())
    } else {
        Err(format!("{what}: engine {engine:e}, model {model:e}"))
    }
}

fn view(model: &Model, row: &Member) -> View {
    View {
        user: row.user,
        community: row.community,
        state: row.state,
        epoch: row.epoch,
        policy_version: row.policy.version,
        joined_at: row.joined_at,
        stop_forward_at: row.stop_forward_at,
        contributing: model.contributing(row),
    }
}

/// What there is between one user and one community.
pub fn membership(engine: &Subject, model: &Model, user: u64, community: u64) -> Verdict {
    let row = model.member(user, community);
    let expected = row.map(|row| view(model, row));
    same("membership", &engine.membership(user, community), &expected)?;
    same(
        "epoch",
        &engine.epoch(user, community),
        &row.map(|row| row.epoch),
    )?;
    same("layer", &engine.layer(user), &model.layer(user))?;
    same("mass", &engine.mass(community), &model.mass(community))
}

/// Memberships, epochs, layers, cohorts and what counted in each community.
pub fn governance(engine: &Subject, model: &Model) -> Verdict {
    let views = |user| {
        let rows = model.memberships(user);
        rows.iter().map(|row| view(model, row)).collect::<Vec<_>>()
    };
    same("memberships", &engine.memberships(None), &views(None))?;
    for user in USERS.into_iter().chain([0, STRANGER]) {
        let of_user = engine.memberships(Some(user));
        same("memberships of one user", &of_user, &views(Some(user)))?;
        same("cohorts", &engine.cohorts(user), &model.cohorts(user))?;
        for community in COMMUNITIES.into_iter().chain([1234]) {
            membership(engine, model, user, community)?;
        }
    }
    Ok(())
}

/// Everything, with one profile and one query per user.
pub fn everything(engine: &mut Subject, model: &Model, at: u64) -> Verdict {
    let bytes = engine.engine.snapshot();
    let row = engine.engine.pending_row(1, 1);
    governance(engine, model)?;
    for (position, user) in USERS.into_iter().chain([STRANGER]).enumerate() {
        profile(&engine.profile(user, at), &model.profile(user, at))
            .map_err(|why| format!("user {user}, {why}"))?;
        let wanted = Query {
            user,
            community: Some(COMMUNITIES[position % 3]),
            cohort: Some(COHORTS[position / 2]),
            candidates: None,
            exclude: Vec::new(),
            include_seen: true,
            limit: usize::MAX,
            offset: 0,
            at,
            diversity: 0.0,
        };
        query(engine, model, &wanted)?;
    }
    same_bytes(
        "bytes after reading (R14)",
        &engine.engine.snapshot(),
        &bytes,
    )?;
    same_bytes(
        "pending events after reading (R14)",
        &engine.engine.pending_row(1, 1),
        &row,
    )
}

/// The engine's list has the model's keys and scores, ordered by its own scores and then by key.
fn list<K: Ord + Clone + std::fmt::Debug>(
    what: &str,
    engine: &[(K, f64)],
    model: &std::collections::BTreeMap<K, Sum>,
) -> Verdict {
    let listed = |wanted: &K| engine.iter().any(|(key, _)| key == wanted);
    let mut keys: Vec<K> = engine.iter().map(|(key, _)| key.clone()).collect();
    keys.sort();
    // Whether what has decayed to nothing at all is still listed is left open.
    let expected = model
        .iter()
        .filter(|(key, sum)| sum.evidence > 0.0 || listed(key));
    let expected = expected.map(|(key, _)| key.clone()).collect();
    same(&format!("{what}: keys"), &keys, &expected)?;
    for (key, score) in engine {
        near(
            &format!("{what}: score of {key:?}"),
            *score,
            model[key].signed,
            model[key].evidence,
        )?;
    }
    let ordered = engine.windows(2).all(|pair| {
        let by_score = pair[1].1.partial_cmp(&pair[0].1);
        by_score.is_some_and(|by_score| by_score.then_with(|| pair[0].0.cmp(&pair[1].0)).is_lt())
    });
    if ordered {
        Ok(())
    } else {
        Err(format!("{what}: order of {engine:?}"))
    }
}

pub fn profile(engine: &ProfilePage, model: &Profile) -> Verdict {
    same("signals", &engine.signals, &model.signals)?;
    same("seen", &engine.seen, &(model.seen as u64))?;
    same("hidden", &engine.hidden, &model.hidden)?;
    list("items", &engine.items, &model.items)?;
    list("categories", &engine.categories, &model.categories)?;
    list("creators", &engine.creators, &model.creators)?;
    if model.preference.doubtful {
        return Ok(());
    }
    let close = match (&engine.preference, &model.preference.direction) {
        (None, None) => true,
        (Some(engine), Some(model)) => {
            engine.len() == model.len()
                && engine
                    .iter()
                    .zip(model)
                    .all(|(engine, model)| (f64::from(*engine) - model).abs() < SINGLE)
        }
        _ => false,
    };
    let both = || {
        format!(
            "preference: engine {:?}, model {:?}",
            engine.preference, model.preference
        )
    };
    if close { Ok(()) } else { Err(both()) }
}

/// The whole order at first, then the page that was asked for as a part of it.
pub fn query(engine: &mut Subject, model: &Model, query: &Query) -> Verdict {
    let all = engine.query(&Query {
        limit: usize::MAX,
        offset: 0,
        ..query.clone()
    });
    let check =
        ranking(&all, &model.rank(query)).and_then(|()| order(&all.items, model, query.diversity));
    check.map_err(|why| format!("{why}\n  in {query:?}"))?;
    let page = engine.query(query);
    let items = all
        .items
        .iter()
        .skip(query.offset)
        .take(query.limit)
        .copied()
        .collect();
    same("page", &page, &Page { items, ..all })
}

fn ranking(engine: &Page, model: &Ranking) -> Verdict {
    same("policy metadata", &engine.row, &model.row)?;
    same(
        "epoch in the stats",
        &engine.epoch,
        &model.row.map(|row| row.0),
    )?;
    same("candidates", &engine.candidates, &model.candidates)?;
    same("hidden", &engine.hidden, &model.hidden)?;
    same("seen", &engine.seen, &model.seen)?;
    let mut ids: Vec<u64> = engine.items.iter().map(|scored| scored.id).collect();
    ids.sort_unstable();
    same(
        "ranked ids",
        &ids,
        &model.scored.iter().map(|scored| scored.id).collect(),
    )?;
    for ranked in &engine.items {
        let Some(scored) = model.scored.iter().find(|scored| scored.id == ranked.id) else {
            continue;
        };
        let what = |part: &str| format!("{part} part of {}", ranked.id);
        if !model.doubtful {
            near(&what("local"), ranked.local, scored.local, 0.0)?;
        }
        near(&what("community"), ranked.community, scored.community, 0.0)?;
        near(&what("cohort"), ranked.cohort, scored.cohort, 0.0)?;
        let sum = ranked.local + ranked.community + ranked.cohort;
        if !ranked.score.is_finite() || (ranked.score - sum).abs() > 0.0 {
            return Err(format!("parts of {ranked:?} do not add up"));
        }
    }
    Ok(())
}

/// Whether the order follows from the scores that the engine gives: each position goes to the best of what remains, a
/// tie to the higher score and then to the lower id. With the scores shown to be near the model's, this is the model's
/// order wherever the model's scores are further apart than the tolerance.
fn order(items: &[Scored], model: &Model, diversity: f64) -> Verdict {
    // Without diversity the values are the scores themselves, and nothing is to be allowed for.
    let slack = if diversity > 0.0 { 1e-12 } else { 0.0 };
    let mut chosen: Vec<u64> = Vec::new();
    for (position, here) in items.iter().enumerate() {
        let value = |scored: &Scored| {
            if diversity > 0.0 {
                model.diverse_value(&chosen, *scored, diversity)
            } else {
                scored.score
            }
        };
        let own = value(here);
        for other in &items[position + 1..] {
            let gain = value(other) - own;
            let tied = gain.abs() <= 0.0;
            let before =
                other.score > here.score || (other.score >= here.score && other.id < here.id);
            if gain > slack || (tied && before) {
                return Err(format!(
                    "position {position}: {here:?} stands before {other:?}"
                ));
            }
        }
        chosen.push(here.id);
    }
    Ok(())
}
