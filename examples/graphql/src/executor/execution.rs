use std::ops::Range;
use std::pin::Pin;
use std::task::{Context, Poll};

use maybe_ready::MaybeReady;

use super::output::{Located, Nulled, Output, Pending, Segment};
use super::plan::{Answer, Plan};
use super::response::{write_json, write_string};
use super::schema::{Field, Kind, Scalar, Type};
use super::value::Opaque;
use super::waiting::Waiting;
use super::{Error, FieldError, PathSegment, Request, Resolved, Response, Schema, Value};

/// The response to a request, or the execution that goes on when what is pending completes.
pub(super) fn start<'c, C>(
    request: &'c Request,
    schema: &'c Schema<C>,
    context: &'c C,
) -> MaybeReady<Response, Execution<'c, C>> {
    let plan = match Plan::new(request, schema) {
        Ok(plan) => plan,
        Err(error) => return MaybeReady::Ready(Response::refused(error)),
    };
    let mut execution = Execution {
        plan,
        context,
        output: Output::new(),
        waiting: Waiting::default(),
        later: 0,
        is_done: false,
    };
    execution.begin();
    if execution.waiting.is_empty() {
        MaybeReady::Ready(execution.finish())
    } else {
        MaybeReady::Pending(execution)
    }
}

/// A request of which something is pending. There is a future for each pending value, and this one,
/// and none for what is around them.
pub(super) struct Execution<'c, C> {
    plan: Plan<'c, C>,
    context: &'c C,
    output: Output<'c>,
    waiting: Waiting<'c>,
    /// The first of the holes that are resolved one after the other.
    later: usize,
    is_done: bool,
}

impl<'c, C> Execution<'c, C> {
    fn pass(&mut self) -> Pass<'_, 'c, C> {
        Pass {
            plan: &self.plan,
            context: self.context,
            output: &mut self.output,
        }
    }

    /// Begins with the root fields: with all, or with what is written around them if each has to
    /// wait for the one before.
    fn begin(&mut self) {
        let (roots, is_serial) = (self.plan.roots.clone(), self.plan.is_serial);
        self.output.bytes.extend_from_slice(br#"{"data":"#);
        let mark = self.output.mark();
        let outcome = self.pass().object(&(), roots, is_serial);
        self.output.nullable(&mark, outcome);
        self.output.end_first();
        self.wait();
        self.go_on();
    }

    /// Resolves one root field after the other until one is pending, if they are to be.
    fn go_on(&mut self) {
        while self.waiting.is_empty() {
            let hole = self.later;
            let Some(field) = self.output.open_later(hole) else {
                return;
            };
            self.later += 1;
            match self.pass().root(hole, field) {
                MaybeReady::Ready(()) => self.wait(),
                MaybeReady::Pending(future) => self.waiting.push(hole, future),
            }
        }
    }

    /// Waits for what the last pass left pending, and no more for what it covered.
    fn wait(&mut self) {
        for hole in self.output.covered.drain(..) {
            self.waiting.remove(hole);
        }
        while let Some((hole, future)) = self.output.open_next() {
            self.waiting.push(hole, future);
        }
    }

    fn finish(&mut self) -> Response {
        self.is_done = true;
        let errors = self.output.take_errors();
        let errors = errors.into_iter().map(|error| Error {
            locations: vec![self.plan.fields[error.field].position],
            path: self.plan.path(&error.path),
            message: error.message,
        });
        let errors = errors.collect();
        Response::new(self.output.take_text(), errors)
    }

    /// The path of the first value that is pending.
    pub(super) fn first_pending(&self) -> Vec<PathSegment> {
        self.plan.path(self.output.first_open().unwrap_or_default())
    }
}

impl<C> Future for Execution<'_, C> {
    type Output = Response;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Response> {
        let this = &mut *self;
        assert!(!this.is_done, "`Execution` polled after completion");
        this.waiting.begin(cx.waker());
        loop {
            while let Some((hole, result)) = this.waiting.next() {
                this.pass().fill(hole, result);
                this.wait();
            }
            this.go_on();
            if this.waiting.is_empty() {
                return Poll::Ready(this.finish());
            }
            if !this.waiting.is_due() {
                return Poll::Pending;
            }
        }
    }
}

/// Writes a value, with all that is ready below it.
struct Pass<'p, 'c, C> {
    plan: &'p Plan<'c, C>,
    context: &'c C,
    output: &'p mut Output<'c>,
}

impl<'c, C> Pass<'_, 'c, C> {
    /// Resolves a root field, and fills its hole if it is ready.
    fn root(&mut self, hole: usize, field: usize) -> MaybeReady<(), Pending<'c>> {
        match &self.plan.fields[field].answer {
            Answer::TypeName(_) => unreachable!("it left no hole"),
            Answer::Resolve { field, arguments } => {
                let call = Field {
                    context: self.context,
                    arguments,
                };
                (field.resolver)(&(), &call).map_ready(|result| self.fill(hole, result))
            }
        }
    }

    /// Fills an open hole.
    fn fill(&mut self, hole: usize, mut result: Result<Value<'_, 'c>, FieldError>) {
        let (field, ty) = self.output.place(hole);
        let mark = self.output.begin(hole);
        let outcome = self.complete(&mut result, ty, field);
        self.output.end(hole, &mark, outcome);
    }

    fn object(
        &mut self,
        object: &Opaque,
        selection: Range<usize>,
        is_serial: bool,
    ) -> Result<(), Nulled> {
        let plan = self.plan;
        let depth = self.output.path.len();
        self.output.path.push(Segment::Field(selection.start));
        self.output.bytes.push(b'{');
        for index in selection {
            let planned = &plan.fields[index];
            self.output.path[depth] = Segment::Field(index);
            self.output.bytes.extend_from_slice(&planned.label);
            match &planned.answer {
                Answer::TypeName(name) => write_json(&mut self.output.bytes, name),
                Answer::Resolve { field, .. } if is_serial => {
                    self.output.leave(index, &field.ty, None);
                }
                Answer::Resolve { field, arguments } => {
                    let context = self.context;
                    let call = Field { context, arguments };
                    self.resolved(&mut (field.resolver)(object, &call), &field.ty, index)?;
                }
            }
        }
        self.output.bytes.push(b'}');
        self.output.path.truncate(depth);
        Ok(())
    }

    fn list(
        &mut self,
        items: &mut [Resolved<'_, 'c>],
        ty: &'c Type,
        field: usize,
    ) -> Result<(), Nulled> {
        let depth = self.output.path.len();
        self.output.path.push(Segment::Index(0));
        self.output.bytes.push(b'[');
        for (index, item) in items.iter_mut().enumerate() {
            if index > 0 {
                self.output.bytes.push(b',');
            }
            self.output.path[depth] = Segment::Index(index);
            self.resolved(item, ty, field)?;
        }
        self.output.bytes.push(b']');
        self.output.path.truncate(depth);
        Ok(())
    }

    /// Writes the value of a field or an item, or leaves a hole for it. It is not moved, for it is
    /// faster to look at it where the resolver put it.
    #[inline]
    fn resolved(
        &mut self,
        resolved: &mut Resolved<'_, 'c>,
        ty: &'c Type,
        field: usize,
    ) -> Result<(), Nulled> {
        if let MaybeReady::Ready(result) = resolved {
            return self.complete(result, ty, field);
        }
        let pending = std::mem::replace(resolved, MaybeReady::Ready(Ok(Value::Null)));
        self.output.leave(field, ty, pending.try_into_ready().err());
        Ok(())
    }

    /// Writes a value as one of its type. What must not be null but is makes null of the nearest
    /// around it that may be.
    #[inline]
    fn complete(
        &mut self,
        result: &mut Result<Value<'_, 'c>, FieldError>,
        ty: &'c Type,
        field: usize,
    ) -> Result<(), Nulled> {
        match (&*result, &ty.kind) {
            (Ok(value), Kind::Scalar(scalar)) if scalar.write(value, &mut self.output.bytes) => {
                Ok(())
            }
            (Ok(Value::Null), _) if ty.nullable => {
                self.output.bytes.extend_from_slice(b"null");
                Ok(())
            }
            _ if ty.nullable => {
                let mark = self.output.mark();
                let outcome = self.value(result, ty, field);
                self.output.nullable(&mark, outcome);
                Ok(())
            }
            _ => self.value(result, ty, field),
        }
    }

    fn value(
        &mut self,
        result: &mut Result<Value<'_, 'c>, FieldError>,
        ty: &'c Type,
        field: usize,
    ) -> Result<(), Nulled> {
        match (result, &ty.kind) {
            (Ok(Value::Object(object)), Kind::Object(_)) => {
                let selection = self.plan.fields[field].selection.clone();
                self.object(object.source(), selection, false)
            }
            (Ok(Value::List(items)), Kind::List(item)) => self.list(items, item, field),
            (Ok(Value::Null), _) => self.fail("a non-null field is null".to_owned(), field),
            (Ok(value), kind) => self.fail(
                format!("{} is no `{}`", describe(value), kind.name()),
                field,
            ),
            (Err(error), _) => self.fail(error.to_string(), field),
        }
    }

    #[cold]
    fn fail(&mut self, message: String, field: usize) -> Result<(), Nulled> {
        let path = self.output.path.clone();
        self.output.errors.push(Located {
            path,
            field,
            message,
        });
        Err(Nulled)
    }
}

impl Scalar {
    /// Writes a value if it is of this type.
    #[inline]
    fn write(self, value: &Value<'_, '_>, json: &mut Vec<u8>) -> bool {
        match (self, value) {
            (Scalar::String | Scalar::Id, Value::String(value)) => write_string(json, value),
            (Scalar::Id, Value::Int(value)) => {
                json.push(b'"');
                write_json(json, value);
                json.push(b'"');
            }
            (Scalar::Int, Value::Int(value)) if i32::try_from(*value).is_ok() => {
                write_json(json, value);
            }
            (Scalar::Float, Value::Int(value)) => write_json(json, value),
            (Scalar::Float, Value::Float(value)) if value.is_finite() => write_json(json, value),
            (Scalar::Boolean, Value::Boolean(value)) => write_json(json, value),
            _ => return false,
        }
        true
    }
}

/// Says what a value is that is not of its type.
fn describe(value: &Value<'_, '_>) -> String {
    match value {
        Value::Null => "null".to_owned(),
        Value::Boolean(value) => value.to_string(),
        Value::Int(value) => value.to_string(),
        Value::Float(value) => value.to_string(),
        Value::String(value) => format!("{value:?}"),
        Value::Object(_) => "an object".to_owned(),
        Value::List(_) => "a list".to_owned(),
    }
}
