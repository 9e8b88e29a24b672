// Definitions of text without a grammar.

import { expect, test } from 'vitest';
import { findDefinitionsByPattern } from '../../../server/src/core/index/patterns/definitions.ts';
import { LANGUAGE_PATTERNS } from '../../../server/src/core/index/patterns/patternTable.ts';
import { shown } from './support.ts';

const cases: readonly (readonly [path: string, text: string, expected: readonly string[]])[] = [
  [
    'lib/a.dart',
    "import 'x.dart';\n/// Doc\n@immutable\nabstract class Store<T> extends Base {\n  static const max = 1;\n  final int size;\n  Store(this.size);\n  factory Store.make() => Store(1);\n  int get count => 1;\n  void run(int a) {\n    void inner() {}\n    if (a) { return; }\n  }\n  void _secret() {}\n  Store operator +(Store o) => this;\n}\nmixin M on Base { void mix() {} }\nenum Color { red }\ntypedef Fn = void Function(int);\nFuture<int> main() async {\n  return run(1);\n}\n",
    [
      '+class Store 4-16',
      '+constant Store.max 5-5',
      '+method Store.Store.make 8-8',
      '+method Store.count 9-9',
      '+method Store.run 10-13',
      ' method Store._secret 14-14',
      '+method Store.+ 15-15',
      '+class M 17-17',
      '+enum Color 18-18',
      '+type Fn 19-19',
      '+function main 20-22',
    ],
  ],
  [
    'a.R',
    '# f <- function(x) x\nadd <- function(x, y) {\n  inner <- function() 1\n  x + y\n}\n.hidden = function() NULL\nPoint <- R6Class("Point", list())\n',
    ['+function add 2-5', ' function .hidden 6-6', '+class Point 7-7'],
  ],
  [
    'a.jl',
    'module Shapes\nabstract type Shape end\nmutable struct Circle{T} <: Shape\n    r::T\nend\narea(c::Circle) = 3 * c.r^2\nfunction größe!(c)\n    if c\n    end\nend\nmacro m(x) end\nconst LIMIT = 3\nend\n',
    [
      '+module Shapes 1-1',
      '+type Shape 2-2',
      '+class Circle 3-5',
      '+function area 6-6',
      '+function größe! 7-10',
      '+macro m 11-11',
      '+constant LIMIT 12-12',
    ],
  ],
  [
    'a.pm',
    'package My::Store;\nuse constant LIMIT => 3;\nsub new {\n  my %h = (a => "}");\n  return 1;\n}\nsub _hidden { 1 }\n# sub not { }\n',
    ['+module My::Store 1-1', '+constant LIMIT 2-2', '+function new 3-6', ' function _hidden 7-7'],
  ],
  [
    'a.clj',
    '(ns my.store\n  (:require [x]))\n; (defn not [])\n(defn run\n  "Doc (odd"\n  [a]\n  (inc a))\n(defn- hidden [] 1)\n(defprotocol Port (send [this]))\n(defmacro m [x] x)\n(def limit 3)\n',
    [
      '+module my.store 1-2',
      '+function run 4-7',
      ' function hidden 8-8',
      '+interface Port 9-9',
      '+macro m 10-10',
      '+variable limit 11-11',
    ],
  ],
  [
    'a.erl',
    '-module(store).\n-record(point, {x, y}).\n-define(LIMIT, 3).\n-type id() :: integer().\n%% run(not) -> 1.\nrun(A) ->\n    case A of\n        1 -> ok\n    end.\n',
    ['+module store 1-1', '+class point 2-2', '+constant LIMIT 3-3', '+type id 4-4', '+function run 6-9'],
  ],
  [
    'a.ml',
    'module M = struct\n  type t = int\n  let run x =\n    let y = 1 in\n    x + y\nend\nlet rec fold f = f\ntype color = Red | Blue\nval size : int\n',
    [
      '+module M 1-6',
      '+type M.t 2-2',
      '+function M.run 3-5',
      '+function fold 7-7',
      '+type color 8-8',
      '+function size 9-9',
    ],
  ],
  [
    'a.fs',
    'module My.Store\ntype Point =\n    { X: int }\n    member this.Norm() = 1\nlet add a b =\n    a + b\nlet private hidden = 1\n',
    ['+module My.Store 1-1', '+type Point 2-4', '+method Point.Norm 4-4', '+function add 5-6', ' function hidden 7-7'],
  ],
  [
    'a.sql',
    'CREATE TABLE IF NOT EXISTS public."users" (\n  id int -- create table no\n);\n/* create view no as */\ncreate or replace function touch() returns int as $$ begin return 1; end $$;\nCREATE UNIQUE INDEX by_name ON users (name);\n',
    ['+class users 1-3', '+function touch 5-5', '+variable by_name 6-6'],
  ],
  [
    'a.vue',
    '<template>\n  <b>{{ run() }}</b>\n</template>\n<script setup lang="ts">\nfunction run() {\n  return 1;\n}\nexport const other = (a: number) => a;\nclass Store {\n  get(a) {\n    return a;\n  }\n}\n</script>\n<style>\n.run() { }\n</style>\n',
    ['+function run 5-7', '+function other 8-8', '+class Store 9-13', '+method Store.get 10-12'],
  ],
  [
    'a.m',
    '@interface Store : NSObject\n- (void)run:(int)a;\n@end\n@implementation Store\n- (void)run:(int)a {\n  [self x];\n}\n@end\nstatic int hidden(int a) {\n  return a;\n}\n',
    ['+class Store 1-3', '+method Store.run 2-2', '+class Store 4-8', '+method Store.run 5-7', ' function hidden 9-11'],
  ],
  [
    'a.ps1',
    'function Get-Thing {\n  param($a)\n}\nclass Store {\n  [int] Run() { return 1 }\n}\n',
    ['+function Get-Thing 1-3', '+class Store 4-6', '+method Store.Run 5-5'],
  ],
  [
    'a.nim',
    'type\n  Store* = object\n    a: int\nproc run*(a: int): int =\n  result = a\nconst limit = 3\n',
    ['+class Store 2-3', '+function run 4-5', '+constant limit 6-6'],
  ],
  [
    'a.cr',
    'module Outer\n  class Store < Base\n    def initialize(@a)\n    end\n    private def hidden\n    end\n    def self.make\n    end\n  end\nend\n',
    [
      '+module Outer 1-10',
      '+class Outer.Store 2-9',
      '+method Outer.Store.initialize 3-4',
      ' method Outer.Store.hidden 5-6',
      '+method Outer.Store.make 7-8',
    ],
  ],
  [
    'build.gradle',
    'plugins { id "x" }\ntasks.register("pack") {\n  x = 1\n}\nclass Store {\n  def run(a) {\n  }\n  private void hidden() {\n  }\n}\n',
    ['+module pack 2-4', '+class Store 5-10', '+method Store.run 6-7', ' method Store.hidden 8-9'],
  ],
  [
    'main.tf',
    'resource "aws_s3" "logs" {\n  a = "}"\n}\nvariable "size" {}\nmodule "net" {\n}\n',
    ['+class logs 1-3', '+variable size 4-4', '+module net 5-6'],
  ],
  [
    'a.proto',
    'syntax = "proto3";\npackage a.b;\nmessage Store {\n  message Inner { }\n  int32 a = 1;\n}\nservice Port {\n  rpc Send (A) returns (B);\n}\nenum Color { RED = 0; }\n',
    [
      '+module a.b 2-2',
      '+class Store 3-6',
      '+class Store.Inner 4-4',
      '+interface Port 7-9',
      '+method Port.Send 8-8',
      '+enum Color 10-10',
    ],
  ],
  [
    'a.graphql',
    'type Store implements Node {\n  id: ID!\n}\nextend type Query { a: Int }\nscalar Date\nfragment F on Store { id }\n',
    ['+class Store 1-3', '+class Query 4-4', '+type Date 5-5', '+function F 6-6'],
  ],
  [
    'sub/Makefile',
    'CC := gcc\n.PHONY: all\nall: build test\n\tmake x\n\nbuild:\n\tcc a\n# not: x\n',
    ['+variable CC 1-1', '+function all 3-4', '+function build 6-7'],
  ],
  ['Dockerfile', 'FROM node:20 AS build\nARG VERSION=1\nRUN x\n', ['+module build 1-1', '+variable VERSION 2-2']],
  [
    'README.md',
    '# Title #\ntext\n## Setup\n```sh\n# not a heading\n```\n### Linux\n## Use `it`\nend\n',
    ['+module Title 1-9', '+module Title.Setup 3-7', '+module Title.Setup.Linux 7-7', '+module Title.Use `it` 8-9'],
  ],
  [
    'docs/a.rst',
    'Title\n=====\ntext\n\nPart\n----\nx\n\nOther\n=====\n',
    ['+module Title 1-7', '+module Title.Part 5-7', '+module Other 9-10'],
  ],
  ['a.el', '(defun run (a)\n  "Doc"\n  (1+ a))\n(defvar limit 3)\n', ['+function run 1-3', '+variable limit 4-4']],
  [
    'a.vim',
    'function! s:hidden() abort\n  if 1\n  endif\nendfunction\nfunction my#run()\nendfunction\n',
    [' function hidden 1-4', '+function my#run 5-6'],
  ],
];

test.each(cases)('%s', (path, text, expected) => {
  expect(findDefinitionsByPattern(path, text).map(shown)).toEqual(expected);
  expect(findDefinitionsByPattern(path, text.replaceAll('\n', '\r\n')).map(shown)).toEqual(expected);
});

test('names stand where nameRange says', () => {
  for (const [path, text] of cases) {
    const lines = text.split('\n');
    for (const { name, nameRange: at } of findDefinitionsByPattern(path, text))
      expect(lines[at.startLine - 1]!.slice(at.startColumn - 1, at.endColumn - 1)).toContain(name);
  }
});

test('no name is claimed by two families', () => {
  const claimed = Object.values(LANGUAGE_PATTERNS).flatMap(({ extensions, names }) => [
    ...extensions.split(' '),
    ...(names ?? '')
      .split(' ')
      .filter((name) => name !== '')
      .map((name) => `/${name}`),
  ]);
  expect(claimed.filter((name, index) => claimed.indexOf(name) !== index)).toEqual([]);
});

test('no text takes longer than it should, and unknown files have no definitions', () => {
  const odd = [
    '{'.repeat(100_000),
    `${'a '.repeat(50_000)}\n`,
    'function a {\n'.repeat(30_000),
    `${'  '.repeat(200)}x\n`.repeat(2_000),
    `${'a(b(c('.repeat(80)}\n`,
    `${'(['.repeat(240)}\n`.repeat(500),
    '',
    '\r',
    '\0',
  ];
  for (const { extensions, names } of Object.values(LANGUAGE_PATTERNS)) {
    const path = names ? names.split(' ')[0]! : `a.${extensions.split(' ')[0]}`;
    for (const text of odd) expect(findDefinitionsByPattern(path, text).length).toBeLessThanOrEqual(20_000);
  }
  expect(findDefinitionsByPattern('a.unknown', 'function a() {}')).toEqual([]);
  expect(findDefinitionsByPattern('makefile.txt', 'all: b\n')).toEqual([]);
});
