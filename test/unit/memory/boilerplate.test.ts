// Which lines of a file are a licence or imports.

import { expect, test } from 'vitest';
import { findImportLines, findLicenceLines } from '../../../server/src/core/memory/boilerplate.ts';

test.each([
  ['a block', '/*\n * Copyright 2024 Ada\n *\n * Use it.\n */\npackage shop;\n', [1, 2, 3, 4, 5]],
  ['a block with a blank line', '/*\nCopyright Ada\n\nUse it.\n*/\nint shop;\n', [1, 2, 3, 4, 5]],
  ['lines', '// Copyright Ada\n// SPDX-License-Identifier: MIT\n\n// Sells things.\npackage shop\n', [1, 2]],
  ['a block below a block', '/* Sells things. */\n/* @license MIT */\nshop();\n', [2]],
  ['a licence below a shebang', '#!/bin/sh\n\n# All rights reserved.\nshop\n', [3]],
  ['a directive right below it', '/* Copyright Ada */\n"use strict";\nshop();\n', [1]],
  ['a comment about licences', '// Checks the licence of a package.\nshop();\n', []],
  ['a licence further down', 'shop();\n// Copyright Ada\n', []],
  ['nothing', '', []],
])('a licence: %s', (_, text, expected) => {
  expect([...findLicenceLines(text)]).toEqual(expected);
});

test.each([
  ["import { till } from './till.ts';\nopen();\nimport fs from 'node:fs';", [1, 3]],
  ["import {\n  till,\n} from './till.ts';\nopen();", [1, 2, 3]],
  ['import (\n\t"fmt"\n\t"io"\n)\n\nfunc open() {', [1, 2, 3, 4]],
  ['from till import (\n    take,\n)\nimport sys\n', [1, 2, 3, 4]],
  ['#include <stdio.h>\n# include "till.h"\n#define TILL 1', [1, 2]],
  ['pub(crate) use crate::till;\nuse std::{io,\n  fs};\nusing System.IO;', [1, 2, 3, 4]],
  ["export * from './till.ts';\nexport const from = 'x';", [1]],
  ["const till = require('./till');\nrequire_relative 'shop'\nrequired = 1;", [1, 2]],
  ['import { never closed\nopen();', [1]],
  ['important();\nuser();', []],
])('imports of %j', (text, expected) => {
  expect([...findImportLines(text.split('\n'))]).toEqual(expected);
});
