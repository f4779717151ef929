//! The program: what it prints where, and how it ends.

use std::fs;
use std::io::Read as _;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use serde_json::{Value, from_slice, json};
use tempfile::tempdir;

const NAMES: &str = "{ packages { name } }";

/// The program, in a folder of this workspace.
fn program(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_graphql-example"));
    command
        .args(arguments)
        .current_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("src"));
    command
}

fn run(arguments: &[&str]) -> Output {
    program(arguments).output().unwrap()
}

fn stderr(output: &Output) -> &str {
    str::from_utf8(&output.stderr).unwrap()
}

/// The answer of a run that is to succeed, with nothing on stderr.
fn answer(arguments: &[&str]) -> Value {
    let output = run(arguments);
    assert_eq!(
        stderr(&output),
        "",
        "{arguments:?} is quiet where stderr is no terminal"
    );
    assert_eq!(output.status.code(), Some(0), "{arguments:?} succeeds");
    from_slice(&output.stdout).expect("the answer is JSON")
}

/// Expects a run to end with 1, without an answer, and with a message that contains `message`.
fn refuses(arguments: &[&str], message: &str) {
    let output = run(arguments);
    let stderr = stderr(&output);
    assert_eq!(
        output.status.code(),
        Some(1),
        "{arguments:?} ends with 1: {stderr}"
    );
    assert_eq!(output.stdout, b"", "{arguments:?} has no answer");
    assert!(
        stderr.starts_with("error: "),
        "{arguments:?} says that it failed: {stderr}"
    );
    assert!(
        stderr.contains(message),
        "{arguments:?} says `{message}`: {stderr}"
    );
}

#[test]
fn a_query_is_answered_on_one_line() {
    let output = run(&["query", NAMES]);
    assert_eq!(output.status.code(), Some(0));
    let text = String::from_utf8(output.stdout).unwrap();
    assert_eq!(text.lines().count(), 1);
    let answer: Value = text.parse().unwrap();
    let names = answer["data"]["packages"].as_array().unwrap();
    assert!(
        names.contains(&json!({ "name": "graphql-example" })),
        "the lock file is found"
    );
}

#[test]
fn a_pretty_answer_has_the_order_of_the_query() {
    let query = r#"{ package(name: "graphql-example") { version name } }"#;
    let output = run(&["query", "--pretty", query]);
    let expected = r#"{
  "data": {
    "package": {
      "version": "0.0.0",
      "name": "graphql-example"
    }
  }
}
"#;
    assert_eq!(str::from_utf8(&output.stdout).unwrap(), expected);
}

#[test]
fn a_pretty_answer_may_be_as_deep_as_a_query() {
    let folder = tempdir().unwrap();
    let lock = folder.path().join("Cargo.lock");
    let packages = r#"
        [[package]]
        name = "one"
        version = "1.0.0"
        dependencies = ["two"]

        [[package]]
        name = "two"
        version = "1.0.0"
    "#;
    fs::write(&lock, packages).unwrap();
    let nest = |inner: &str| {
        let nested = (0..20).fold(inner.to_owned(), |inner, _| {
            format!("dependencies {{ dependents {{ {inner} }} }}")
        });
        format!("{{ {nested} }}")
    };
    let (outer, inner) = (nest("...inner"), nest("name"));
    let query = format!(r#"{{ package(name: "one") {outer} }} fragment inner on Package {inner}"#);
    let arguments = ["query", "--lock", lock.to_str().unwrap(), &query];
    let answer = run(&arguments);
    let pretty = run(&[&arguments[..], &["--pretty"]].concat());
    assert_eq!((stderr(&pretty), pretty.status.code()), ("", Some(0)));
    let without_spaces = |output: &Output| {
        let text = str::from_utf8(&output.stdout).unwrap();
        text.replace([' ', '\n'], "")
    };
    assert_eq!(without_spaces(&pretty), without_spaces(&answer));
}

#[test]
fn the_operation_and_the_variables_are_chosen() {
    let query = "
        query One($name: String!) { package(name: $name) { name } }
        query Other { packages(first: 0) { name } }";
    let variables = r#"{ "name": "serde" }"#;
    let one = answer(&[
        "query",
        "--operation",
        "One",
        "--variables",
        variables,
        query,
    ]);
    assert_eq!(one, json!({ "data": { "package": { "name": "serde" } } }));
    let other = answer(&["query", "--operation", "Other", query]);
    assert_eq!(other, json!({ "data": { "packages": [] } }));
}

#[test]
fn the_second_run_is_explained_as_hits_that_are_ready_at_once() {
    let query = "{ packages { name dependencies { name version } } }";
    let output = run(&["query", "--explain", "--repeat", "2", query]);
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(
        from_slice::<Value>(&output.stdout).unwrap(),
        answer(&["query", query])
    );

    let (first, second) = stderr(&output)
        .split_once("run 2: ")
        .expect("there are two runs");
    assert!(first.starts_with("run 1: pending, "), "{first}");
    assert!(second.starts_with("ready at once, "), "{second}");
    for line in second.lines().skip(2) {
        let [_, loads, hits, misses, batches] = line.split_whitespace().collect::<Vec<_>>()[..]
        else {
            panic!("a loader has four numbers: {line}");
        };
        assert_eq!(
            (hits, misses, batches),
            (loads, "0", "0"),
            "all are hits: {line}"
        );
    }
    assert!(
        first
            .lines()
            .any(|line| line.split_whitespace().eq(["pages", "1", "0", "1", "1"]))
    );
}

#[test]
fn what_the_query_gets_wrong_is_in_the_answer() {
    for (arguments, message) in [
        (&["{ packages("][..], "syntax error: expected name"),
        (
            &["{ packages { nmae } }"],
            "field `nmae` of `Package` does not exist",
        ),
        (
            &["--operation", "X", "query A { packages { name } }"],
            "there is no operation `X`",
        ),
        (
            &[
                "--variables",
                r#"{"n":"x"}"#,
                "query ($n: Int) { packages(first: $n) { name } }",
            ],
            r#"variable `$n`: "x" is no `Int`"#,
        ),
        (
            &["{ packages(first: -1) { name } }"],
            "`first` must not be negative, and is -1",
        ),
        (
            &["{ packages(after: 0) { name } }"],
            "there is no package with the id `0`",
        ),
    ] {
        let output = run(&[&["query"], arguments].concat());
        assert_eq!(stderr(&output), "");
        assert_eq!(output.status.code(), Some(1), "{arguments:?} ends with 1");
        let answer: Value = from_slice(&output.stdout).unwrap();
        assert_eq!(answer["errors"][0]["message"], message);
    }
}

#[test]
fn what_is_wrong_with_the_input_is_said() {
    let folder = tempdir().unwrap();
    let file = |name: &str, bytes: &[u8]| {
        let path = folder.path().join(name);
        fs::write(&path, bytes).unwrap();
        path.to_str().unwrap().to_owned()
    };
    let (text, binary, empty) = (
        file("text", b"no lock"),
        file("binary", &[0xff; 2000]),
        file("empty", b""),
    );
    let missing = folder.path().join("missing");
    let (missing, folder) = (missing.to_str().unwrap(), folder.path().to_str().unwrap());
    let manifest = concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml");

    for (arguments, message) in [
        (["--lock", missing], "cannot read `"),
        (["--lock", folder], "cannot read `"),
        (
            ["--lock", &text],
            "is not a lock file: TOML parse error at line 1, column 4: ",
        ),
        (["--lock", &binary], "is not a lock file: it is not text"),
        (
            ["--lock", &empty],
            "is not a lock file: it lists no packages",
        ),
        (["--lock", manifest], "is not a lock file: "),
        (["--database", folder], "is a folder, not a database"),
        (["--database", &binary], "file is not a database"),
        (
            ["--database", "missing/x.db"],
            "unable to open database file",
        ),
        (["--variables", "{"], "it is no JSON: "),
        (["--variables", "[1]"], "it is no JSON object"),
        (["--repeat", "0"], "invalid value '0'"),
        (["--lokc", "x"], "unexpected argument '--lokc'"),
    ] {
        refuses(&["query", arguments[0], arguments[1], NAMES], message);
    }
    refuses(&["query"], "<QUERY>");
    refuses(&["synthesize", folder], "is a folder, not a database");
    refuses(
        &["synthesize", "--packages", "-1", missing],
        "unexpected argument '-1'",
    );
    refuses(
        &["synthesize", "--packages", "x", missing],
        "invalid value 'x'",
    );
    assert!(!Path::new(missing).exists());
}

#[test]
fn without_a_lock_file_no_database_is_created() {
    let folder = tempdir().unwrap();
    let output = program(&["query", "--database", "new.db", NAMES])
        .current_dir(folder.path())
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert!(
        stderr(&output).starts_with("error: there is no Cargo.lock in `"),
        "{}",
        stderr(&output)
    );
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
}

#[test]
fn help_is_no_failure() {
    let output = run(&["query", "--help"]);
    assert_eq!(output.status.code(), Some(0));
    assert!(
        str::from_utf8(&output.stdout)
            .unwrap()
            .contains("--explain")
    );
}

#[test]
fn a_database_that_another_process_locks_is_said_to_be_locked() {
    let folder = tempdir().unwrap();
    let path = folder.path().join("packages.db");
    let path = path.to_str().unwrap();
    answer(&["query", "--database", path, NAMES]);

    let other = rusqlite::Connection::open(path).unwrap();
    other.execute_batch("BEGIN EXCLUSIVE").unwrap();
    refuses(
        &["query", "--database", path, NAMES],
        "the database is locked by another process",
    );
    drop(other);
    answer(&["query", "--database", path, NAMES]);
}

#[test]
fn a_database_that_another_process_writes_to_is_named_when_it_cannot_be_filled() {
    let folder = tempdir().unwrap();
    let path = folder.path().join("packages.db");
    let path = path.to_str().unwrap();
    let lock = concat!(env!("CARGO_MANIFEST_DIR"), "/../../Cargo.lock");

    let other = rusqlite::Connection::open(path).unwrap();
    other.execute_batch("BEGIN IMMEDIATE").unwrap();
    let message = format!("cannot fill `{path}`: the database is locked by another process");
    refuses(
        &["query", "--lock", lock, "--database", path, NAMES],
        &message,
    );
    refuses(&["synthesize", path], &message);
}

#[test]
fn a_database_is_used_as_it_is_unless_a_lock_file_is_given() {
    let folder = tempdir().unwrap();
    let path = folder.path().join("packages.db");
    let path = path.to_str().unwrap();
    let lock = concat!(env!("CARGO_MANIFEST_DIR"), "/../../Cargo.lock");
    let count = |arguments: &[&str]| {
        let answer = answer(&[&["query", "--database", path], arguments].concat());
        answer["data"]["packages"].as_array().unwrap().len()
    };

    let output = run(&["synthesize", "--packages", "7", path]);
    assert_eq!((output.status.code(), stderr(&output)), (Some(0), ""));
    assert_eq!(count(&[NAMES]), 7);
    refuses(&["synthesize", path], "has packages already");
    assert_eq!(count(&[NAMES]), 7);
    assert!(count(&["--lock", lock, NAMES]) > 100);
    assert!(count(&[NAMES]) > 100);
}

#[test]
fn whoever_reads_may_stop_reading() {
    let query = "{ packages { ...it dependencies { ...it } } }
        fragment it on Package { name version source checksum }";
    let length = run(&["query", query]).stdout.len();
    assert!(length > 1 << 16, "it does not fit into a pipe: {length}");

    let mut child = program(&["query", query])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut start = [0; 10];
    child.stdout.take().unwrap().read_exact(&mut start).unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!(&start, br#"{"data":{""#);
    assert_eq!((output.status.code(), stderr(&output)), (Some(0), ""));
}

#[cfg(target_os = "linux")]
#[test]
fn an_answer_that_cannot_be_written_is_a_failure() {
    let full = fs::OpenOptions::new()
        .write(true)
        .open("/dev/full")
        .unwrap();
    let output = program(&["query", NAMES]).stdout(full).output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert!(
        stderr(&output).starts_with("error: cannot write the answer: "),
        "{}",
        stderr(&output)
    );
}
