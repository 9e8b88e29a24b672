// Edits of one shape, each with the recipe that comes of them. Those with a repository in their name are shortened from
// the history of unjs/nitro, fastify/fastify or sindresorhus/got (all MIT); the others were written for this test.

export interface ShapeCase {
  readonly name: string;
  /** Two to four edits: the file before and after. */
  readonly edits: readonly (readonly [before: string, after: string])[];
  /** Null: nothing may be learned. */
  readonly learned: readonly [pattern: string, replacement: string] | null;
}

export const shapes: readonly ShapeCase[] = [
  {
    name: 'indexOf to includes',
    edits: [
      ['if (names.indexOf(n) !== -1) go();', 'if (names.includes(n)) go();'],
      ['const has = this.tags.indexOf("x") !== -1;', 'const has = this.tags.includes("x");'],
    ],
    learned: ['$a.indexOf($b) !== -1', '$a.includes($b)'],
  },
  {
    name: 'filter()[0] to find',
    edits: [
      ['const a = users.filter(u => u.id === id)[0];', 'const a = users.find(u => u.id === id);'],
      ['export const b = () => list.items.filter(isOpen)[0];', 'export const b = () => list.items.find(isOpen);'],
    ],
    learned: ['$a.filter($b)[0]', '$a.find($b)'],
  },
  {
    name: 'JSON round trip to structuredClone',
    edits: [
      ['const c = JSON.parse(JSON.stringify(state));', 'const c = structuredClone(state);'],
      ['use(JSON.parse(JSON.stringify(this.opts.rules)));', 'use(structuredClone(this.opts.rules));'],
    ],
    learned: ['JSON.parse(JSON.stringify($a))', 'structuredClone($a)'],
  },
  {
    name: 'hasOwnProperty.call to hasOwn (fastify)',
    edits: [
      [
        "if (!Object.prototype.hasOwnProperty.call(headers, 'accept')) return;",
        "if (!Object.hasOwn(headers, 'accept')) return;",
      ],
      ['ok = Object.prototype.hasOwnProperty.call(opts, name);', 'ok = Object.hasOwn(opts, name);'],
    ],
    learned: ['Object.prototype.hasOwnProperty.call($a, $b)', 'Object.hasOwn($a, $b)'],
  },
  {
    name: 'event.req to event.node.req (nitro)',
    edits: [
      ['const url = event.req.url;', 'const url = event.node.req.url;'],
      ['send(ctx.event.req, 1);', 'send(ctx.event.node.req, 1);'],
    ],
    learned: ['$a.req', '$a.node.req'],
  },
  {
    name: 'a context becomes an argument',
    edits: [
      [
        'export default handler((event) => { const c = useRuntimeConfig(); return c; });',
        'export default handler((event) => { const c = useRuntimeConfig(event); return c; });',
      ],
      [
        'function f(event) { return useRuntimeConfig().app; }',
        'function f(event) { return useRuntimeConfig(event).app; }',
      ],
    ],
    learned: ['useRuntimeConfig()', 'useRuntimeConfig(event)'],
  },
  {
    name: 'a method becomes a function of a package (nitro)',
    edits: [
      [
        "import { send } from 'h3';\nhandler((event) => event.node.res.setHeader('a', value));",
        "import { send, setResponseHeader } from 'h3';\nhandler((event) => setResponseHeader(event, 'a', value));",
      ],
      [
        "import { send } from 'h3';\nhandler((event) => event.node.res.setHeader(name, 'b'));",
        "import { send, setResponseHeader } from 'h3';\nhandler((event) => setResponseHeader(event, name, 'b'));",
      ],
    ],
    learned: ['event.node.res.setHeader($a, $b)', 'setResponseHeader(event, $a, $b)'],
  },
  {
    name: 'substr to slice (nitro)',
    edits: [
      ['const a = path.substr(0, end);', 'const a = path.slice(0, end);'],
      ['use(this.id.substr(0, 7));', 'use(this.id.slice(0, 7));'],
    ],
    learned: ['$a.substr(0, $b)', '$a.slice(0, $b)'],
  },
  {
    name: 'a polyfill is no longer needed (fastify)',
    edits: [
      [
        "const PonyPromise = require('./promise');\nconst { promise } = PonyPromise.withResolvers();",
        'const { promise } = Promise.withResolvers();',
      ],
      [
        "const PonyPromise = require('./promise');\nthis.ready = PonyPromise.withResolvers();",
        'this.ready = Promise.withResolvers();',
      ],
    ],
    learned: ['PonyPromise.withResolvers()', 'Promise.withResolvers()'],
  },
  {
    name: 'typeof to a helper',
    edits: [
      [
        "import { a } from './a';\nif (typeof x === 'string') a();",
        "import { a } from './a';\nimport { isString } from './is';\nif (isString(x)) a();",
      ],
      [
        "import { a } from './a';\nconst b = typeof this.y === 'string';",
        "import { a } from './a';\nimport { isString } from './is';\nconst b = isString(this.y);",
      ],
    ],
    learned: ["typeof $a === 'string'", 'isString($a)'],
  },
  {
    name: 'Object.assign to spread',
    edits: [
      ['const o = Object.assign({}, defaults, own);', 'const o = { ...defaults, ...own };'],
      ['f(Object.assign({}, this.a, b()));', 'f({ ...this.a, ...b() });'],
    ],
    learned: ['Object.assign({}, $a, $b)', '{ ...$a, ...$b }'],
  },
  {
    name: 'charAt to at',
    edits: [
      ['const l = s[s.length - 1];', 'const l = s.at(-1);'],
      ['use(this.parts[this.parts.length - 1]);', 'use(this.parts.at(-1));'],
    ],
    learned: ['$a[$a.length - 1]', '$a.at(-1)'],
  },
  {
    name: 'the same call, awaited',
    edits: [
      ['async function f() { const x = load(a); }', 'async function f() { const x = await load(a); }'],
      ['async function g() { use(load(b.c)); }', 'async function g() { use(await load(b.c)); }'],
    ],
    learned: ['load($a)', 'await load($a)'],
  },
  {
    name: 'undefined and null at once',
    edits: [
      ['if (a.b === undefined || a.b === null) f();', 'if (a.b == null) f();'],
      ['const n = value === undefined || value === null;', 'const n = value == null;'],
    ],
    learned: ['$a === undefined || $a === null', '$a == null'],
  },
  {
    name: 'concat to a template of a constant',
    edits: [
      ["log('/api/' + id);", 'log(apiPath(id));'],
      ["fetch('/api/' + user.id);", 'fetch(apiPath(user.id));'],
    ],
    learned: ["'/api/' + $a", 'apiPath($a)'],
  },
  {
    name: 'an option moves into an object',
    edits: [
      ['createServer(app, true);', 'createServer(app, { secure: true });'],
      ['return_(createServer(this.app, true));', 'return_(createServer(this.app, { secure: true }));'],
    ],
    learned: ['createServer($a, true)', 'createServer($a, { secure: true })'],
  },
  {
    name: 'keys().length to size',
    edits: [
      ['if (Array.from(map.keys()).length > 0) f();', 'if (map.size > 0) f();'],
      ['const n = Array.from(this.seen.keys()).length;', 'const n = this.seen.size;'],
    ],
    learned: ['Array.from($a.keys()).length', '$a.size'],
  },
  {
    name: 'Date to milliseconds',
    edits: [
      ['const t = new Date().getTime();', 'const t = Date.now();'],
      ['wait(end - new Date().getTime());', 'wait(end - Date.now());'],
    ],
    learned: ['new Date().getTime()', 'Date.now()'],
  },
  {
    name: 'parseInt to Number (fastify)',
    edits: [
      ["const l = parseInt(headers['content-length'], 10);", "const l = Number(headers['content-length']);"],
      ['port = parseInt(text, 10);', 'port = Number(text);'],
    ],
    learned: ['parseInt($a, 10)', 'Number($a)'],
  },
  {
    name: 'then to await',
    edits: [
      ['async function f() { return read(a).then((r) => r.json()); }', 'async function f() { return readJson(a); }'],
      [
        'async function g() { return read(b.c).then((r) => r.json()); }',
        'async function g() { return readJson(b.c); }',
      ],
    ],
    learned: ['read($a).then((r) => r.json())', 'readJson($a)'],
  },
  {
    name: 'a value that only the right side has',
    edits: [
      ['f(a);', 'f(a, 1);'],
      ['f(b);', 'f(b, 2);'],
    ],
    learned: null,
  },
  {
    name: 'unlike edits',
    edits: [
      ['const a = x.length > 0;', 'const a = !empty(x);'],
      ['for (const i of y) go(i);', 'y.forEach(go);'],
    ],
    learned: null,
  },
  {
    name: 'a rename',
    edits: [
      ['use(options.gotRetry, 1);', 'use(options.retry, 1);'],
      ['this.x = options.gotRetry;', 'this.x = options.retry;'],
    ],
    learned: null,
  },
  {
    name: 'a version',
    edits: [
      ["load('a@1.2.3');", "load('a@1.2.4');"],
      ["use(load('a@1.2.3'));", "use(load('a@1.2.4'));"],
    ],
    learned: null,
  },
  {
    name: 'any operator',
    edits: [
      ['const a = b || c;', 'const a = b ?? c;'],
      ['use(x.y || 3);', 'use(x.y ?? 3);'],
    ],
    learned: null,
  },
  {
    name: 'a case that was added (got)',
    edits: [
      ["if (o.method === 'POST') f();", "if (o.method === 'POST' || o.method === 'PUT') f();"],
      ["x = m === 'POST';", "x = m === 'POST' || m === 'PUT';"],
    ],
    learned: null,
  },
  {
    name: 'a type that was asserted (nitro)',
    edits: [
      ['send(r.headers);', 'send(r.headers as HeadersInit);'],
      ['const h = r.headers;', 'const h = r.headers as HeadersInit;'],
    ],
    learned: null,
  },
  {
    name: 'truth instead of a value (fastify)',
    edits: [
      ['if (a.b === false) f();', 'if (!a.b) f();'],
      ['x = y === false;', 'x = !y;'],
    ],
    learned: null,
  },
  {
    name: 'a value that went into a variable (got)',
    edits: [
      [
        'function f(options) { use(options.headers); }',
        'function f(options) { const { headers } = options; use(headers); }',
      ],
      [
        'function g(options) { set(options.headers); }',
        'function g(options) { const { headers } = options; set(headers); }',
      ],
    ],
    learned: null,
  },
  {
    name: 'effects in another order',
    edits: [
      ['put(next(), read());', 'store(read(), next());'],
      ['use(put(pop(), peek()));', 'use(store(peek(), pop()));'],
    ],
    learned: null,
  },
  {
    name: 'a local function (nitro)',
    edits: [
      [
        'new Promise((resolve) => { on(() => resolve()); });',
        'new Promise((resolve) => { on(() => resolve(undefined)); });',
      ],
      ['const f = (resolve) => resolve();', 'const f = (resolve) => resolve(undefined);'],
    ],
    learned: null,
  },
  {
    name: 'one condition for another (fastify)',
    edits: [
      ['if (statusCode !== 304) f();', "if (req.method !== 'HEAD') f();"],
      ['x = statusCode !== 304;', "x = req.method !== 'HEAD';"],
    ],
    learned: null,
  },
];
