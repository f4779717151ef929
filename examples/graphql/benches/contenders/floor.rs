//! Nothing but the look-ups and the text, written by hand for this one query.

use itoa::Buffer;

use crate::contenders::Contender;
use crate::contenders::blog::{BLOG, Blog};

pub(crate) const NAME: &str = "hand-written";
pub(crate) const SCANNING: &str = "hand-written, strings as the executor";

pub(crate) fn contenders() -> [Contender; 2] {
    [contender(NAME, escape), contender(SCANNING, scan)]
}

fn contender(name: &'static str, string: fn(&mut Vec<u8>, &str)) -> Contender {
    let blog = &*BLOG;
    Contender {
        name,
        query: Box::new(move || write(blog, string)),
        forget: None,
    }
}

/// What all have to answer.
pub(crate) fn answer() -> Vec<u8> {
    write(&BLOG, escape)
}

fn write(blog: &Blog, string: impl Fn(&mut Vec<u8>, &str)) -> Vec<u8> {
    let mut json = Vec::with_capacity(128 * blog.posts.len());
    json.extend_from_slice(br#"{"data":{"posts":["#);
    for (index, post) in blog.posts.iter().enumerate() {
        let author = &blog.authors[&post.author];
        if index > 0 {
            json.push(b',');
        }
        json.extend_from_slice(br#"{"id":""#);
        number(&mut json, post.id);
        json.extend_from_slice(br#"","title":"#);
        string(&mut json, post.title);
        json.extend_from_slice(br#","author":{"id":""#);
        number(&mut json, author.id);
        json.extend_from_slice(br#"","name":"#);
        string(&mut json, author.name);
        json.extend_from_slice(b"}}");
    }
    json.extend_from_slice(b"]}}");
    json
}

fn number(json: &mut Vec<u8>, number: u32) {
    json.extend_from_slice(Buffer::new().format(number).as_bytes());
}

/// What one would write.
fn escape(json: &mut Vec<u8>, text: &str) {
    serde_json::to_writer(json, text).expect("a vector takes everything");
}

/// Finds out that there is nothing to escape for many bytes at a time.
fn scan(json: &mut Vec<u8>, text: &str) {
    let is_special = |byte| byte < b' ' || byte == b'"' || byte == b'\\';
    let is_found = |found, byte| found | is_special(byte);
    if text.bytes().fold(false, is_found) {
        escape(json, text);
    } else {
        json.push(b'"');
        json.extend_from_slice(text.as_bytes());
        json.push(b'"');
    }
}
