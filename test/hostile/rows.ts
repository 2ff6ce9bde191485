/**
 * The hostile inputs that this service is held to, one row each: what is tried, and which test files try it. Sections:
 * A API keys, J tokens, T tenants, P parsing, G graphs and run bodies, M templates and patches, X code in the sandbox.
 */

export type Row =
  | { readonly tries: string; readonly files: readonly string[] }
  | { readonly tries: string; readonly later: string };

/** @param files below test/, without `.test.ts` */
const row = (tries: string, ...files: readonly string[]): Row => ({ tries, files });
const later = (tries: string, reason: string): Row => ({ tries, later: reason });

const CREDENTIALS = 'hostile/credentials';
const TOKENS = 'hostile/tokens';
const TENANTS = 'hostile/tenants';
const PARSING = 'hostile/parsing';
const GRAPHS = 'hostile/graphs';
const ENGINE = 'hostile/engine/templates-and-code';

export const ROWS: Readonly<Record<string, Row>> = {
  A01: row('no credential', CREDENTIALS, 'api/every-route'),
  A02: row('basic credentials', CREDENTIALS),
  A04: row('a bad bearer token beside a good key', CREDENTIALS),
  A05: row('X-API-KEY without the prefix', CREDENTIALS),
  A06: row('X-Authorization', CREDENTIALS),
  A08: row('the scheme in lower case', CREDENTIALS),
  A09: row('the prefix in capitals', CREDENTIALS),
  A10: row('SQL, NUL and 10 kB behind the prefix', CREDENTIALS),
  A12: row('hint and masked key used as keys', CREDENTIALS),
  A13: row('an expired key', 'api/api-keys'),
  A14: row('a revoked key at another process, at once', CREDENTIALS),
  A16: row('a pinned key in another organization', 'api/api-keys'),
  A17: row('a pinned key without the organization header', 'api/api-keys'),
  A18: row('a pinned key where its owner is a member', CREDENTIALS),
  A20: row('a pinned key that makes a wider key', 'api/api-keys'),
  A21: row('a key pinned to a foreign organization', 'api/api-keys'),
  A22: row('a client that sets what the server decides of a key', CREDENTIALS),
  A24: row('key names that are empty, long, missing or hold NUL', CREDENTIALS, 'api/api-keys'),
  A25: row('rate limits out of range or of another type', CREDENTIALS, 'api/api-keys'),
  A26: row('expiries in the past, beyond the year 9999, or no dates', CREDENTIALS, 'api/api-keys'),
  A28: row('keys in the answers that list them', CREDENTIALS),
  A29: later('a real hint told from a random one by time', 'a measurement; the suite asserts no times'),
  A30: row('production without a key secret, or with a short one', 'api/serve-api'),

  J01: row('alg none', TOKENS),
  J02: row('HMAC by the public key', TOKENS),
  J03: row('another key or algorithm of the set', TOKENS),
  J05: row('a flood of unknown key ids', TOKENS),
  J06: row('almost the right issuer', TOKENS),
  J07: row('ended, endless, or an end that is no number', TOKENS),
  J09: row('issued in the future', TOKENS),
  J10: row('no sub', TOKENS),
  J11: row('no email', TOKENS),
  J13: row('another client', TOKENS),
  J14: row('jku, x5u and jwk in the header', TOKENS),
  J15: row('crit, b64, JWE, zip', TOKENS),
  J17: row('a token of 1 MB', 'api/serve-api'),
  J18: row('a symmetric key in the set', 'access/key-set'),
  J19: row('a key set that fails, hangs, redirects or is too large', TOKENS, 'access/key-set'),
  J21: row('verification that is not configured', 'access/key-set'),
  J22: row('role claims that look like organization roles', TOKENS),
  J23: row('twenty first requests of a new user', 'api/accounts'),
  J25: row('one address in many spellings, and look-alikes', TOKENS),
  J26: row('an inactive user', 'api/accounts'),

  T01: row('no organization header', 'api/every-route'),
  T03: row('a foreign organization', 'api/every-route'),
  T04: row('the organization in capitals', 'api/accounts'),
  T05: row('foreign ids on every route', TENANTS, 'api/every-route'),
  T07: row('a run_id where the history id belongs', TENANTS),
  T08: row('the history of a foreign workflow', TENANTS),
  T09: row('a run of a foreign workflow', TENANTS),
  T11: later('a knowledge base for a foreign organization', 'knowledge bases are not built yet'),
  T12: row('identity and owner in an update', TENANTS),
  T13: row('a tenant that claims visibility system', TENANTS),
  T15: row('the thread of another organization', TENANTS, 'db/thread-memory'),
  T16: later('foreign credentials and knowledge in a graph', 'credentials and knowledge are not built yet'),
  T17: row('foreign and forged cursors', TENANTS),
  T19: row('a removed member: next request, open stream', TENANTS, 'api/run-stream'),
  T20: later('SQL without an organization', 'row level security is not switched on yet'),
  T21: row('the retired role', 'api/every-route'),

  P01: row('cut JSON', 'api/requests'),
  P02: row('JSON that is no object', 'api/requests'),
  P03: row('no body', 'api/requests'),
  P05: row('deep JSON', 'api/requests'),
  P06: row('large bodies', 'api/requests'),
  P07: row('a compressed bomb', PARSING),
  P09: row('__proto__ as a key', 'api/requests'),
  P10: row('constructor, prototype and length as keys', PARSING, 'api/requests'),
  P11: row('NUL in texts and queries', 'api/requests'),
  P13: row('bytes that are no UTF-8', 'api/requests'),
  P14: row('a key given twice', CREDENTIALS),
  P15: row('numbers that are no integers', PARSING),
  P17: row('limits and offsets out of range', PARSING),
  P18: row('repeated and bracketed query parameters', 'api/requests'),
  P19: row('pages beyond the end', PARSING),
  P21: row('paths that are almost routes', PARSING, 'api/every-route'),
  P22: row('path parameters that are no UUIDs', PARSING, 'api/every-route'),
  P23: row('bytes that are no HTTP', PARSING),
  P25: row('Host and X-Forwarded-Host of somebody else', PARSING),
  P26: row('senders that trickle', 'http/server'),
  P27: row('browsers of another origin', 'api/requests'),

  G01: row('the removed LLM-only mode', GRAPHS),
  G02: row('no selector, or two', GRAPHS),
  G03: row('a workflow that is not deployed', 'api/runs'),
  G05: row('node ids that mean something else', GRAPHS),
  G06: row('node types that do not exist', GRAPHS),
  G07: row('edges to nothing and against the direction', GRAPHS),
  G09: row('a cycle without an exit', GRAPHS, 'engine/graph'),
  G10: row('recursion_limit out of range', GRAPHS),
  G11: row('batch_interval_ms out of range', GRAPHS),
  G13: row('a million edges', GRAPHS),
  G14: row('keys that nobody knows', GRAPHS),
  G15: row('image addresses that are none, or point inside', GRAPHS, 'api/deployments'),
  G17: row('switches of another type', GRAPHS),
  G18: row('a deploy of an invalid draft', GRAPHS),

  M01: row('paths into prototypes', ENGINE, 'graph/template'),
  M03: row('templates in the output of a node', ENGINE, 'graph/template'),
  M04: row('a value that breaks out of JSON', ENGINE, 'nodes/tool'),
  M05: row('a value that begins a header', ENGINE, 'nodes/tool'),
  M07: row('a value that leaves its path segment', ENGINE, 'nodes/tool'),
  M08: row('a text that grows beyond 1 MB', ENGINE, 'graph/template'),
  M09: row('long paths, large indexes, many openings', ENGINE, 'graph/template'),
  M11: later('patches of the whole, of the owner, of unknown keys', 'the canvas takes no operations yet'),
  M12: later('patches with indexes that are none', 'the canvas takes no operations yet'),
  M13: later('a batch that fails half-way', 'the canvas takes no operations yet'),
  M15: later('a batch that is too large', 'the canvas takes no operations yet'),

  X01: row('an endless loop', ENGINE, 'sandbox/sandbox'),
  X02: row('a native function that stalls', 'sandbox/sandbox'),
  X04: row('recursion, deep JSON, nested proxies', 'sandbox/sandbox'),
  X05: row('constructors of constructors', ENGINE, 'sandbox/sandbox'),
  X06: row('modules, network, threads', ENGINE, 'sandbox/sandbox'),
  X08: row('results that loop, throw, turn in circles or are too large', 'sandbox/sandbox'),
  X09: row('__proto__ in a result', ENGINE, 'sandbox/sandbox'),
  X10: row('state left for the next run', ENGINE, 'sandbox/sandbox'),
  X12: row('large sources, NUL, with', 'nodes/function', 'sandbox/sandbox'),
  X13: row('secrets and sockets of the process', 'sandbox/sandbox'),
  X14: row('promises without end', 'sandbox/sandbox'),
};
