// What does it cost to await a call that has its answer at once, in JavaScript?
//
// The same calls as in support/await_cost.rs, each way as often as the argument says. Prints the
// nanoseconds of one call as JSON, as medians.

const CALLS = 1_000_000;
const RUNS = Number(process.argv[2] ?? 11);
const SUM = (CALLS * (CALLS + 1)) / 2;

const map = new Map(Array.from({ length: 100 }, (_, key) => [key, 2 * key]));
let count = 0;

// What is called, the same as an async function, and what all calls add up to.
const cases = {
  'empty body': [() => 1, async () => 1, CALLS],
  counter: [() => (count += 1), async () => (count += 1), SUM],
  'cached read': [() => map.get(7), async () => map.get(7), 14 * CALLS],
};

// Each in a function of its own for each case, so that the compiler may inline the call.
const ways = {
  'direct call': `
    let sum = 0;
    for (let i = 0; i < CALLS; i++) sum += plain();
    return sum;`,
  'value awaited': `
    let sum = 0;
    for (let i = 0; i < CALLS; i++) sum += await plain();
    return sum;`,
  'async fn not awaited': `
    for (let i = 0; i < CALLS; i++) asynchronous();
    return answer;`,
  'async fn awaited': `
    let sum = 0;
    for (let i = 0; i < CALLS; i++) sum += await asynchronous();
    return sum;`,
  'async fn joined': `
    const calls = [];
    for (let i = 0; i < CALLS; i++) calls.push(asynchronous());
    return (await Promise.all(calls)).reduce((sum, value) => sum + value, 0);`,
};

const AsyncFunction = (async () => {}).constructor;

async function median(run, answer) {
  const times = [];
  for (let i = 0; i < RUNS; i++) {
    count = 0;
    const start = performance.now();
    const sum = await run();
    times.push(((performance.now() - start) * 1e6) / CALLS);
    if (sum !== answer) throw new Error(`${sum} should be ${answer}`);
  }
  times.sort((a, b) => a - b);
  return times[Math.floor(RUNS / 2)];
}

const results = {};
for (const [way, body] of Object.entries(ways)) {
  results[way] = {};
  for (const [name, [plain, asynchronous, answer]] of Object.entries(cases)) {
    const Kind = body.includes('await ') ? AsyncFunction : Function;
    const compiled = new Kind('plain', 'asynchronous', 'answer', 'CALLS', body);
    const run = () => compiled(plain, asynchronous, answer, CALLS);
    results[way][name] = await median(run, answer);
  }
}
console.log(JSON.stringify({ version: process.version, results }, null, 2));
