// What to run where tests of Python, Go and Rust lack a dependency.

import { expect, test } from 'vitest';
import { findMissingDependency } from '../../../server/src/core/setup/missingDependency.ts';

const PYTHON = "E   ModuleNotFoundError: No module named 'freezegun.api'";
const VENV = ' (after `python3 -m venv .venv`, if there is none)';

test.each([
  [PYTHON, ['a.py', 'uv.lock', 'requirements.txt'], '`freezegun`, a module of Python that the tests need', '`uv sync`'],
  [PYTHON, ['a.py', 'poetry.lock'], '', '`POETRY_VIRTUALENVS_IN_PROJECT=1 poetry install`'],
  [
    PYTHON,
    ['a.py', 'requirements.txt', 'requirements-dev.txt', 'docs/requirements.txt', 'pyproject.toml'],
    '',
    `\`.venv/bin/pip install -r requirements-dev.txt -r requirements.txt -e .\`${VENV}`,
  ],
  [PYTHON, ['a.py', 'setup.py'], '', `\`.venv/bin/pip install -e .\`${VENV}`],
  ['/usr/bin/python3: No module named pytest', ['a.py'], '`pytest`', `\`.venv/bin/pip install pytest\`${VENV}`],
  [
    'a.go:3:8: no required module provides package github.com/x/y; to add it:\n\tgo get github.com/x/y',
    ['go.mod'],
    '`github.com/x/y`, a module of Go',
    '`go get github.com/x/y`',
  ],
  [
    'a.go:4:2: missing go.sum entry for module providing package github.com/x/y; to add:\n\tgo get ex.com/a',
    ['go.mod'],
    '`github.com/x/y`',
    '`go get ex.com/a`',
  ],
  [
    'go: github.com/x/y@v1.2.3: missing go.sum entry for go.mod file; to add it:\n\tgo mod download github.com/x/y',
    ['go.mod'],
    'a module of Go that the tests need',
    '`go mod download github.com/x/y`',
  ],
  [
    'go: github.com/x/y@v1: Get "https://proxy.golang.org/x": dial tcp: lookup proxy.golang.org: no such host',
    ['go.mod'],
    'a module of Go',
    '`go mod download`',
  ],
  ['error: no matching package named `serde` found', ['Cargo.toml'], '`serde`, a crate', '`cargo fetch`'],
  [
    PYTHON,
    ['a.py', 'contest.txt', 'latest.txt', 'devices.txt', 'requirements/base.txt', 'requirements/dev.txt'],
    '',
    `\`.venv/bin/pip install -r requirements/dev.txt -r requirements/base.txt\`${VENV}`,
  ],
  [PYTHON, ['src/a.py', 'contest.txt'], '', `\`.venv/bin/pip install freezegun\`${VENV}`],
  [
    'error: failed to load\n\nCaused by:\n  failed to download `serde v1.0.0`',
    ['Cargo.toml'],
    '`serde v1.0.0`',
    '`cargo fetch`',
  ],
  ['error: failed to get `rand` as a dependency of package `a`', ['Cargo.toml'], '`rand`', '`cargo fetch`'],
])('%s', (output, tracked, what, command) => {
  const missing = findMissingDependency(`collecting\n${output}\nended`, tracked);
  expect(missing?.what).toContain(what);
  expect(missing?.action).toBe(`Run ${command}, then \`selfware setup\` again.`);
});

test.each([
  ['AssertionError: 1 != 2', ['a.py']],
  [PYTHON, ['package.json']],
  ['--- FAIL: TestA', ['go.mod']],
  ['test result: FAILED. 1 passed', ['Cargo.toml']],
  ['test offline mode works ... FAILED', ['Cargo.toml']],
  ['assertion failed: "failed to get `rand`"', ['Cargo.toml']],
])('%s lacks nothing', (output, tracked) => {
  expect(findMissingDependency(output, tracked)).toBeNull();
});

test.each([
  ["No module named 'src'", ['src/__init__.py']],
  ["No module named 'shop.prices'", ['shop/__init__.py', 'requirements.txt']],
  ["No module named 'shop.prices'", ['src/shop/cart.py']],
  ["No module named 'shop'", ['src/shop.py']],
])('%s in a repository with %s is a wrong path', (text, tracked) => {
  const missing = findMissingDependency(`E   ModuleNotFoundError: ${text}`, [...tracked, 'tests/test_a.py']);
  expect(missing?.what).toContain('is code of this repository');
  expect(missing?.action).toMatch(/^Correct the import path/);
  expect(missing?.action).not.toContain('pip install');
});
