//! JSON Schemas of the TOML files, made from the keys that their readers declare, for editors.
//!
//! They keep to what draft 4 and all later drafts have in common, which is what TOML language servers
//! read, and refer to nothing outside of themselves.

use serde_json::{Map, Value, json};

use crate::pack::keys::{Key, Keys, Names, Need, PACK_TABLES, Shape, VARIANT, VARIANT_STEPS};
use crate::repl::board::keys::VIEW;
use crate::scenario::keys::SCENARIO;

/// The schema of a kind of files.
#[derive(Clone, Debug)]
pub struct Schema {
    /// The name of its file.
    pub file: &'static str,
    /// The files that it is for, from the root of a project.
    pub include: &'static [&'static str],
    /// Files among these that it is not for.
    pub exclude: &'static [&'static str],
    /// The schema.
    pub schema: Value,
}

/// What a table is taken for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Use {
    /// It stands for itself.
    Whole,
    /// A variant changes it: every key may be left out, and elements of lists are called by name.
    Change,
    /// A variant adds to it, or adds it.
    Addition,
}

/// The schemas of all kinds of files.
pub fn schemas() -> Vec<Schema> {
    vec![
        Schema {
            file: "pack.schema.json",
            include: &["rules/*/*.toml"],
            exclude: &["rules/*/view.toml"],
            schema: titled("A file of a pack", tables(Use::Whole, PACK_TABLES)),
        },
        Schema {
            file: "view.schema.json",
            include: &["rules/*/view.toml"],
            exclude: &[],
            schema: titled("How the board of a pack is drawn", table(&VIEW, Use::Whole)),
        },
        Schema {
            file: "variant.schema.json",
            include: &["rules/*/variants/*.toml"],
            exclude: &[],
            schema: titled("A variant of a pack", variant()),
        },
        Schema {
            file: "scenario.schema.json",
            include: &["scenarios/**/*.toml"],
            exclude: &[],
            schema: titled("A scenario", table(&SCENARIO, Use::Whole)),
        },
    ]
}

/// Settings that tell Taplo, and editors that use it, which files have which schema; `folder` is where
/// the schemas lie, from the root of the project.
pub fn taplo(folder: &str) -> String {
    let mut text = String::new();
    for schema in schemas() {
        text.push_str(&format!("[[rule]]\ninclude = {:?}\n", schema.include));
        if !schema.exclude.is_empty() {
            text.push_str(&format!("exclude = {:?}\n", schema.exclude));
        }
        let path = format!("{folder}/{}", schema.file);
        text.push_str(&format!("[rule.schema]\npath = {path:?}\n\n"));
    }
    text
}

fn titled(title: &str, mut schema: Value) -> Value {
    schema["$schema"] = json!("http://json-schema.org/draft-04/schema#");
    schema["title"] = json!(title);
    schema
}

/// A table with these keys and no others.
fn tables(used: Use, keys: &'static [Key]) -> Value {
    let properties: Map<String, Value> = keys
        .iter()
        .map(|key| (key.name.to_owned(), property(key, used)))
        .collect();
    json!({ "type": "object", "properties": properties, "additionalProperties": false })
}

/// A variant: what it is, what it adds, and what it changes.
fn variant() -> Value {
    let of = |used| {
        let mut schema = tables(used, PACK_TABLES);
        // A variant has no provenance: what it changes is a house rule.
        if let Some(properties) = schema["properties"].as_object_mut() {
            properties.remove("provenance");
            properties.insert("view".to_owned(), table(&VIEW, used));
        }
        schema
    };
    let mut schema = of(Use::Change);
    let mut added = of(Use::Addition);
    added["description"] = json!("What is added: entries, keys, and elements of lists.");
    schema["properties"]["add"] = added;
    schema["properties"]["variant"] = table(&VARIANT, Use::Whole);
    schema["required"] = json!(["variant"]);
    // The steps of blocks are changed in words of their own.
    if let Some(blocks) = schema.pointer_mut("/properties/flow/additionalProperties/properties")
        && let Some(blocks) = blocks.as_object_mut()
    {
        for key in VARIANT_STEPS.all() {
            blocks.insert(key.name.to_owned(), property(key, Use::Whole));
        }
    }
    schema
}

/// What a key holds, with what it means.
fn property(key: &Key, used: Use) -> Value {
    let mut schema = shape(&key.shape, used);
    schema["description"] = json!(key.doc);
    if let Need::Default(text) = key.need
        && let Ok(value) = serde_json::from_str(text)
    {
        schema["default"] = value;
    }
    schema
}

fn table(keys: &'static Keys, used: Use) -> Value {
    let properties: Map<String, Value> = keys
        .all()
        .map(|key| (key.name.to_owned(), property(key, used)))
        .collect();
    let required: Vec<&str> = keys
        .all()
        .filter(|key| key.need == Need::Always && used == Use::Whole)
        .map(|key| key.name)
        .collect();
    let mut schema = json!({
        "type": "object",
        "description": keys.doc,
        "properties": properties,
        "additionalProperties": false,
    });
    // Draft 4 knows no empty list of what is required.
    if !required.is_empty() {
        schema["required"] = json!(required);
    }
    if let Some(others) = keys.others {
        let mut other = shape(&others.shape, used);
        other["description"] = json!(others.doc);
        match others.prefix {
            "" => schema["additionalProperties"] = other,
            prefix => schema["patternProperties"] = json!({ format!("^{prefix}"): other }),
        }
    }
    schema
}

fn shape(of: &Shape, used: Use) -> Value {
    match of {
        Shape::Prose
        | Shape::Template
        | Shape::Name(_)
        | Shape::NewName(_)
        | Shape::Type
        | Shape::Path => json!({ "type": "string" }),
        Shape::Script | Shape::Value => json!({ "type": ["string", "integer", "boolean"] }),
        Shape::Int(least, most) => {
            let mut schema = json!({ "type": "integer" });
            if *least > i64::MIN {
                schema["minimum"] = json!(least);
            }
            if *most < i64::MAX {
                schema["maximum"] = json!(most);
            }
            schema
        }
        Shape::Bool => json!({ "type": "boolean" }),
        Shape::Word(words) => json!({ "type": "string", "enum": words }),
        Shape::List(element) => list(element, used),
        Shape::Table(keys) => table(keys, used),
        Shape::Map(names, element) => {
            let (Names::New(noun) | Names::Known(noun)) = names;
            json!({
                "type": "object",
                "description": format!("A table by {noun}."),
                "additionalProperties": shape(element, used),
            })
        }
        Shape::Either(shapes) => {
            let shapes: Vec<Value> = shapes.iter().map(|of| shape(of, used)).collect();
            json!({ "anyOf": shapes })
        }
    }
}

/// A list; a variant may give a table in its place, which changes elements by their names.
fn list(element: &'static Shape, used: Use) -> Value {
    let list = json!({ "type": "array", "items": shape(element, Use::Whole) });
    match element {
        Shape::Table(keys)
            if used == Use::Change
                && (keys.get("id").is_some() || keys.get("between").is_some()) =>
        {
            let elements = json!({
                "type": "object",
                "description": "Elements that are there, by id or by their two ends with a hyphen between.",
                "additionalProperties": table(keys, used),
            });
            json!({ "anyOf": [list, elements] })
        }
        _ => list,
    }
}
