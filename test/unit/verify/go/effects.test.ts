// Which functions of a Go package are called by the search for missing tests, and which act outside or change a state.

import { expect, test } from 'vitest';
import { planGoCalls } from '../../../../server/src/core/verify/guard/go/calls/planCalls.ts';
import { parser } from '../../index/support.ts';

/** The names of the functions that are called, and those left out, each with its reason. */
async function called(code: string, more: Readonly<Record<string, string>> = {}) {
  const files = Object.entries({ 'a.go': code, ...more }).map(([path, text]) => ({ path, text }));
  const plan = (await planGoCalls(parser, { folder: '', files, paths: ['a.go'] }))!;
  return {
    called: plan.subjects.map(({ name }) => name),
    leftOut: plan.leftOut.map(({ name, reason }) => `${name}: ${reason}`),
  };
}

test.each([
  [
    'a variable that a function gives its value',
    'var host = mustHost()\nfunc mustHost() string { h, _ := os.Hostname(); return h }\nfunc Act(a string) string { return host + a }',
  ],
  [
    'a variable that init sets',
    'var home string\nfunc init() { home = os.Getenv("HOME") }\nfunc Act(a string) string { return home + a }',
  ],
  [
    'a function in a variable',
    'var remove func(string) error\nfunc init() { remove = os.RemoveAll }\nfunc Act(a string) error { return remove(a) }',
  ],
  [
    'a field of a type that acts',
    'type Client struct{ c http.Client }\nfunc NewClient(a string) *Client { return &Client{} }\nfunc (c *Client) Act(a string) error { _, err := c.c.Get(a); return err }',
  ],
  ['a package whose name is not known', 'func Act(a string) error { return fileutils.Mark(a) }'],
  [
    'a variable that changes',
    'var mode string\nfunc SetMode(m string) { mode = m }\nfunc Act(a string) string { return mode + a }',
  ],
  ['a map that changes', 'var seen = map[string]int{}\nfunc Act(a string) int { seen[a]++; return seen[a] }'],
])('%s', async (_name, code) => {
  const head = 'package m\n\nimport (\n\t"net/http"\n\t"os"\n\t"example.com/m/file-utils"\n)\n\n';
  const known = 'package m\n\nimport (\n\t"net/http"\n\t"os"\n)\n\nvar _ = os.Args\nvar _ http.Client\n';
  const { called: names } = await called(`${code.includes('fileutils') ? head : known}${code}\n`);
  expect(names.filter((name) => name.endsWith('Act'))).toEqual([]);
});

test('what only computes is called, also with constants, tables and patterns of the package', async () => {
  const code = `package m

import (
	"regexp"
	"strings"
	"sync"
)

var number *regexp.Regexp
var once sync.Once

func numbers() *regexp.Regexp {
	once.Do(func() { number = regexp.MustCompile("[0-9]+") })
	return number
}

func IsNumber(a string) bool { return numbers().MatchString(a) }

var word = regexp.MustCompile("[a-z]+")
var names = map[string]int{"a": 1}
var table []string

func init() { table = strings.Split("a b", " ") }

type Price struct{ cents int }

func NewPrice(cents int) *Price { return &Price{cents} }

func (p *Price) Double() int { p.cents *= 2; return p.cents }

func IsWord(a string) bool { return word.MatchString(a) }

func Value(a string) int { return names[a] + len(table) }
`;
  expect(await called(code)).toEqual({
    called: ['IsNumber', 'NewPrice', 'Price.Double', 'IsWord', 'Value'],
    leftOut: [],
  });
});

test('a file that no build holds, and one of another package, are left out', async () => {
  const code = 'package m\n\nfunc Twice(a int) int { return a + a }\n';
  const program = '//go:build ignore\n\npackage main\n\nfunc Twice(a int) int { return a }\n';
  expect(await called(code, { '0_gen.go': program })).toEqual({ called: ['Twice'], leftOut: [] });
});

test('code that prints to a buffer of its own is called, code that prints to the standard output is not', async () => {
  const code = `package m

import (
	"bytes"
	"fmt"
	"os"
)

func Joined(a string) string {
	var buf bytes.Buffer
	fmt.Fprintf(&buf, "%s.", a)
	return buf.String()
}

func Shown(a string) string {
	fmt.Fprintln(os.Stdout, a)
	return a
}
`;
  expect(await called(code)).toEqual({ called: ['Joined'], leftOut: ['Shown: It uses os.Stdout.'] });
});

test('a function of another package is not taken for one of the same name, unless a local name hides the package', async () => {
  const code = `package m

import (
	"errors"
	"os"
)

var errEmpty = errors.New("empty")

func New() string {
	return os.Getenv("HOME")
}

func Parse(a string) (string, error) {
	if a == "" {
		return a, errEmpty
	}
	return a + ".", nil
}

type Maker struct{ Name string }

func Hidden(errors Maker) string {
	return errors.New()
}

func (m Maker) New() string {
	return New() + m.Name
}
`;
  const { called: names } = await called(code);
  expect(names).toEqual(['Parse']);
});
