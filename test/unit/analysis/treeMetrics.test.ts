// Figures of functions in the languages that tree-sitter reads.

import { expect, test } from 'vitest';
import { analyseWithTree } from './analyseCase.ts';

interface Case {
  readonly path: string;
  readonly text: string;
  /** name kind cyclomatic cognitive nesting statements parameters */
  readonly expected: readonly string[];
}

const cases: readonly Case[] = [
  {
    path: 'a.py',
    text: `
class A:
    def m(self, a, b=1, *c, **d):
        """Says what it does."""
        if a and b:
            return 1
        elif c:
            pass
        else:
            run()
        for x in c:
            if x: break
        else:
            run()
        try:
            run()
        except ValueError:
            return
        match a:
            case 1: run()
        return 1 if a else 2

def outer():
    def inner():
        if a: run()
    return lambda: 1 if a else 2
`,
    expected: [
      '(top level) topLevel 1 0 0 3 0',
      'm method 9 10 2 13 4',
      'outer function 2 2 0 2 0',
      'inner function 2 1 1 2 0',
    ],
  },
  {
    path: 'a.go',
    text: `package a
func F(a, b int, c ...string) int {
	if a > 1 && b > 2 {
		return 1
	} else if b > 1 {
		x()
	} else {
		y()
	}
	switch a {
	case 1:
		if b > 0 { x() }
	default:
		y()
	}
L:
	for i := 0; i < 3; i++ {
		break L
	}
	go func() { if a > 1 { z() } }()
	return 0
}
func (r *T) M() {}
`,
    expected: ['(top level) topLevel 1 0 0 2 0', 'F function 8 11 2 13 3', 'M method 1 0 0 0 0'],
  },
  {
    path: 'a.rs',
    text: `impl A {
  fn m(&self, a: i32) -> i32 {
    if a > 1 && a < 3 { return 1; } else if a > 2 { f()?; } else { g(); }
    match a { 1 => 2, _ => { h(); 3 } };
    'outer: loop { break 'outer; }
    let c = |x: i32| if x > 0 { 1 } else { 2 };
    c(a)
  }
}
fn free(a: i32, b: i32) {}
`,
    expected: ['(top level) topLevel 1 0 0 2 0', 'm method 8 10 1 13 1', 'free function 1 0 0 0 2'],
  },
  {
    path: 'A.java',
    text: `class A {
  A(int x) { this.x = x; }
  int m(int a, int... b) {
    if (a > 1) return 1; else if (a > 2) { f(); } else g();
    switch (a) { case 1: f(); break; default: g(); }
    try { f(); } catch (E e) { if (a > 1) g(); }
    L: while (true) { break L; }
    run(() -> { if (a > 1) f(); });
    return a > 1 ? 2 : 3;
  }
}
`,
    expected: ['(top level) topLevel 1 0 0 0 0', 'A constructor 1 0 0 1 1', 'm method 9 12 2 16 2'],
  },
  {
    path: 'a.c',
    text: `int f(void) {
  if (a && b) return 1; else if (c) { g(); } else h();
  switch (a) { case 1: g(); break; default: h(); }
  for (int i = 0; i < 3; i++) while (a) g();
  goto end;
end:
  return a ? 1 : 2;
}
static int *g(int a, char *b) { return 0; }
`,
    expected: ['(top level) topLevel 1 0 0 0 0', 'f function 8 10 2 12 0', 'g function 1 0 0 1 2'],
  },
  {
    path: 'a.cpp',
    text: `int A::m(int a) {
  for (auto x : xs) { if (x || a) run(); }
  try { run(); } catch (...) { }
  auto l = [](int x) { return x ? 1 : 2; };
  return l(a);
}
`,
    expected: ['(top level) topLevel 1 0 0 0 0', 'A::m function 6 7 2 8 1'],
  },
];

test.each(cases)('$path', async ({ path, text, expected }) => {
  const { functions, trouble, measures } = await analyseWithTree(`src/${path}`, text);
  expect(trouble).toBeNull();
  expect(
    functions.map(
      (one) =>
        `${one.name} ${one.kind} ${one.cyclomatic} ${one.cognitive} ${one.nesting} ${one.statements} ${one.parameters}`,
    ),
  ).toEqual(expected);
  expect(measures['statements']).toBeGreaterThan(0);
});

/** Structures on which SonarSource's white paper shows its rules, with the figures that it gives. Text: our own. */
const published: readonly (readonly [string, string, number])[] = [
  [
    'a labelled jump in two loops',
    'class A { int m(int n) { int s = 0; OUT: for (int i = 1; i <= n; ++i) { for (int j = 2; j < i; ++j) { if (i % j == 0) { continue OUT; } } s += i; } return s; } }',
    7,
  ],
  [
    'a switch is one',
    'class A { String m(int n) { switch (n) { case 1: return "a"; case 2: return "b"; case 3: return "c"; default: return "d"; } } }',
    1,
  ],
  [
    'try is nothing, what is in it counts; catch nests',
    'class A { void m() { try { if (a) { for (int i = 0; i < 9; i++) { while (b) { f(); } } } } catch (X | Y e) { if (b) { g(); } } } }',
    9,
  ],
  ['a lambda nests', 'class A { void m() { Runnable r = () -> { if (a) { f(); } }; } }', 2],
  ['sequences of like operators', 'class A { void m() { if (a && b && c || d || e && f) { g(); } } }', 4],
  ['a negation breaks a sequence', 'class A { void m() { if (a && !(b && c)) { g(); } } }', 3],
];
test.each(published)('white paper: %s', async (_, text, cognitive) => {
  const { functions } = await analyseWithTree('src/A.java', text);
  expect(functions.find(({ name }) => name === 'm')?.cognitive).toBe(cognitive);
});

/** operators / operands of `return a + 1`-like bodies, by hand. */
const halstead: readonly (readonly [string, string, number, number])[] = [
  // def ( : return +  ·  add a b a b
  ['a.py', 'def add(a, b):\n    # says nothing\n    return a + b\n', 10, 8],
  // ( { return +  ·  int add int a int b a b
  ['a.c', 'int add(int a, int b) { return a + b; }\n', 12, 8],
];
test.each(halstead)('Halstead: %s', async (path, text, length, vocabulary) => {
  const one = (await analyseWithTree(`src/${path}`, text)).functions.find(({ name }) => name === 'add');
  expect(one?.halstead?.volume).toBeCloseTo(length * Math.log2(vocabulary), 1);
  expect(one?.maintainability).toBeGreaterThan(50);
});
