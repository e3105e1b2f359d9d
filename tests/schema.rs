//! The JSON Schemas of TOML files: all files that come with the engine keep to them, and mistakes do not.

use std::fs;
use std::path::{Path, PathBuf};

use jsonschema::Validator;
use serde_json::{Value, json};
use yukon::docs::schema::{Schema, schemas};

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The TOML files in a folder and below it.
fn files(folder: &Path, found: &mut Vec<PathBuf>) {
    let mut entries: Vec<PathBuf> = fs::read_dir(folder)
        .expect("a folder")
        .map(|entry| entry.expect("an entry").path())
        .collect();
    entries.sort();
    for path in entries {
        if path.is_dir() {
            files(&path, found);
        } else if path.extension().is_some_and(|end| end == "toml") {
            found.push(path);
        }
    }
}

/// What kind of file a path under the root is.
fn kind_of(path: &str) -> &'static str {
    let parts: Vec<&str> = path.split('/').collect();
    match parts.as_slice() {
        ["rules", _, "view.toml"] => "view.schema.json",
        ["rules", _, _] => "pack.schema.json",
        ["rules", _, "variants", _] => "variant.schema.json",
        ["scenarios", ..] => "scenario.schema.json",
        _ => panic!("no kind for {path}"),
    }
}

fn value(text: &str) -> Value {
    let table: toml::Table = toml::from_str(text).expect("TOML");
    serde_json::to_value(table).expect("no dates")
}

fn validator(file: &str) -> Validator {
    let schema = schemas().into_iter().find(|schema| schema.file == file);
    jsonschema::validator_for(&schema.expect("a schema").schema).expect("a schema that is one")
}

/// What is wrong with a file, one a line.
fn problems(validator: &Validator, value: &Value) -> String {
    validator
        .iter_errors(value)
        .map(|error| format!("{}: {error}\n", error.instance_path()))
        .collect()
}

#[test]
fn all_files_keep_to_their_schemas() {
    let validators: Vec<(&str, Validator)> = schemas()
        .iter()
        .map(|schema| (schema.file, validator(schema.file)))
        .collect();
    let mut counts = vec![0; validators.len()];
    for folder in ["rules", "scenarios"] {
        let mut found = Vec::new();
        files(&root().join(folder), &mut found);
        for path in found {
            let shown = path.strip_prefix(root()).expect("under the root");
            let shown = shown.to_string_lossy().replace('\\', "/");
            let kind = kind_of(&shown);
            let at = validators.iter().position(|(file, _)| *file == kind);
            let at = at.expect("a validator");
            counts[at] += 1;
            let text = fs::read_to_string(&path).expect("a text");
            let wrong = problems(&validators[at].1, &value(&text));
            assert!(wrong.is_empty(), "{shown}:\n{wrong}");
        }
    }
    assert!(counts.iter().all(|count| *count > 1), "{counts:?}");
}

#[test]
fn the_examples_of_the_documentation_keep_to_the_schemas() {
    let kinds = [
        ("flow", "pack.schema.json", 1),
        ("packs", "pack.schema.json", 3),
        ("parameters", "pack.schema.json", 2),
        ("scenarios", "scenario.schema.json", 1),
        ("view", "view.schema.json", 1),
    ];
    for (name, kind, least) in kinds {
        let topics = yukon::docs::topics();
        let topic = topics.iter().find(|topic| topic.name == name);
        let text = &topic.expect("a topic").text;
        let examples: Vec<&str> = text
            .split("```toml\n")
            .skip(1)
            .map(|rest| rest.split("```").next().unwrap_or_default())
            .collect();
        assert!(examples.len() >= least, "`{name}` has {}", examples.len());
        for example in examples {
            let wrong = problems(&validator(kind), &value(example));
            assert!(wrong.is_empty(), "{wrong}{example}");
        }
    }
}

/// A file with one mistake, and what the schema says of it.
fn refuses(file: &str, text: &str, expected: &str) {
    let found = problems(&validator(file), &value(text));
    assert!(
        found.contains(expected),
        "expected `{expected}`, found:\n{found}{text}"
    );
}

#[test]
fn mistakes_in_a_pack_are_refused() {
    let refuses = |text, expected| refuses("pack.schema.json", text, expected);
    refuses("[zone.hand]\ncapcity = 3", "'capcity' was unexpected");
    refuses("[zoen.hand]\ncapacity = 3", "'zoen' was unexpected");
    refuses(
        "[zone.hand]\ncapacity = '3'",
        "/zone/hand/capacity: \"3\" is not of type \"integer\"",
    );
    refuses("[zone.hand]\ncapacity = 0", "less than the minimum of 1");
    refuses(
        "[zone.hand]\nvisible = 'none'",
        "/zone/hand/visible: \"none\" is not one of",
    );
    refuses("[zone.hand]\nper = 'player'", "/zone/hand/per");
    refuses(
        "[zone]\nhand = 3",
        "/zone/hand: 3 is not of type \"object\"",
    );
    refuses(
        "[parameter.price]\nvalue = 3",
        "\"doc\" is a required property",
    );
    refuses(
        "[kind.card]\nstart = 'deck'\npieces = [{ copies = 2 }]",
        "\"id\" is a required property",
    );
    refuses(
        "[tie.most]\npoints = 1\nwhen = 'me.out'",
        "'when' was unexpected",
    );
    refuses(
        "[graph.map]\nnodes.inn = {}\nedges = [{ betwen = ['inn', 'inn'] }]",
        "'betwen' was unexpected",
    );
    refuses(
        "[ability.a]\npiece = 'p'\nzone = 'z'\ntrigger = { effect = '()' }",
        "/ability/a/trigger",
    );
    refuses(
        "[flow.main]\ndo = ['work']\nscope = 'game'",
        "/flow/main/scope",
    );
    refuses(
        "[game]\ntitle = 'T'\nplayers = [2, 40]\nflow = 'main'",
        "/game/players/1: 40",
    );
}

#[test]
fn mistakes_in_other_files_are_refused() {
    let view = |text, expected| refuses("view.schema.json", text, expected);
    view("[panel.hand]\nkind = 'table'", "/panel/hand/kind");
    view(
        "[panel.hand]\ntitle = 'Hand'",
        "\"kind\" is a required property",
    );
    view("[paint]\nred = 'crimson'", "/paint/red");
    let variant = |text, expected| {
        let text = format!("[variant]\ntitle = 'T'\nreason = 'R'\n{text}");
        refuses("variant.schema.json", &text, expected);
    };
    variant("requires = 'other'", "/variant/requires");
    variant("[parameter.price]\nvalu = 3", "'valu' was unexpected");
    variant("[add.zone.hand]\nvisible = 3", "/add/zone/hand/visible");
    variant(
        "[flow.main]\ninsert = [{ stepp = 'fair', after = 'work' }]",
        "'stepp' was unexpected",
    );
    variant("[provenance]\na = 1", "'provenance' was unexpected");
    refuses(
        "variant.schema.json",
        "[parameter.price]\nvalue = 3",
        "\"variant\" is a required property",
    );
    let scenario = |text, expected| {
        let text = format!("format = 1\ntitle = 'T'\npack = 'toy'\nplayers = 2\n{text}");
        refuses("scenario.schema.json", &text, expected);
    };
    scenario("sed = 3", "'sed' was unexpected");
    scenario(
        "seed = 'three'",
        "/seed: \"three\" is not of type \"integer\"",
    );
    scenario("[[play]]\nofered = ['a']", "'ofered' was unexpected");
    scenario("[[play]]\nexpect = { over = 1 }", "/play/0/expect/over");
    refuses(
        "scenario.schema.json",
        "format = 2",
        "/format: 2 is greater than the maximum of 1",
    );
}

#[test]
fn a_variant_may_change_and_add_in_parts() {
    let text = "[variant]
title = 'T'
reason = 'R'
remove = ['toggle.drought']
[parameter.price]
value = 3
[graph.map.edges.inn-mill]
cost = 2
[kind.card.pieces.ace]
title = 'Ace'
[add.kind.card]
pieces = [{ id = 'joker', wild = true }]
[flow.year]
drop = ['tithe']
[view]
rounds = ['Spring']
";
    assert_eq!(
        problems(&validator("variant.schema.json"), &value(text)),
        ""
    );
}

#[test]
fn every_key_is_explained() {
    fn look(schema: &Value, path: &str) {
        match schema {
            Value::Object(keys) => {
                for (name, inner) in keys {
                    let path = format!("{path}/{name}");
                    if name == "properties" {
                        for (key, property) in inner.as_object().expect("properties") {
                            let doc = property["description"].as_str().unwrap_or_default();
                            assert!(doc.ends_with('.'), "{path}/{key}: `{doc}`");
                        }
                    }
                    look(inner, &path);
                }
            }
            Value::Array(list) => list.iter().for_each(|inner| look(inner, path)),
            _ => {}
        }
    }
    for Schema { file, schema, .. } in schemas() {
        look(&schema, file);
        assert_eq!(
            schema["$schema"],
            json!("http://json-schema.org/draft-04/schema#")
        );
    }
}

#[test]
fn the_command_writes_them() {
    let folder = tempfile::tempdir().expect("a folder");
    let output = assert_cmd::Command::cargo_bin("yukon")
        .expect("the binary")
        .current_dir(folder.path())
        .args(["docs", "--schema", "schemas/"])
        .output()
        .expect("run");
    assert!(output.status.success());
    let told = String::from_utf8(output.stdout).expect("UTF-8");
    let settings: toml::Table = toml::from_str(&told).expect("settings that are TOML");
    let rules = settings["rule"].as_array().expect("rules");
    assert_eq!(rules.len(), schemas().len());
    for (schema, rule) in schemas().iter().zip(rules) {
        let path = rule["schema"]["path"].as_str().expect("a path");
        let text = fs::read_to_string(folder.path().join(path)).expect("written");
        let written: Value = serde_json::from_str(&text).expect("JSON");
        assert_eq!(written, schema.schema, "{path}");
    }
}
