// Where imports of the other languages lead, rule by rule.

import { expect, test } from 'vitest';
import { resolved, type Texts } from './graphSupport.ts';

const flat: Texts = {
  'pkg/__init__.py': '',
  'pkg/a.py': '',
  'pkg/json.py': '',
  'pkg/sub/__init__.py': '',
  'pkg/sub/b.py': '',
  'scripts/tool.py': '',
  'scripts/helper.py': '',
  'tests/test_a.py': '',
};
const sourced: Texts = {
  'pyproject.toml': '[tool.setuptools.packages.find]\nwhere = ["code"]\n',
  'code/thing/__init__.py': '',
  'code/thing/c.py': '',
  'code/space/inner/d.py': '',
  'src/other/__init__.py': '',
  'tests/test_b.py': '',
};
const rust: Texts = {
  'Cargo.toml': '[workspace]\nmembers = ["core", "web"]\n',
  'core/Cargo.toml': '[package]\nname = "my-core"\n',
  'core/src/lib.rs': '',
  'core/src/a.rs': '',
  'core/src/a/b.rs': '',
  'core/src/c/mod.rs': '',
  'core/src/c/d.rs': '',
  'core/tests/it.rs': '',
  'web/Cargo.toml': '[package]\nname = "web"\n[lib]\nname = "site"\npath = "code/entry.rs"\n',
  'web/code/entry.rs': '',
  'web/code/e.rs': '',
};
const go: Texts = {
  'go.mod': 'module example.com/m // main\n\nrequire example.com/other v1.0.0\nreplace example.com/other => ./third\n',
  'main.go': '',
  'x/y/a.go': '',
  'x/y/b.go': '',
  'x/y/a_test.go': '',
  'third/c.go': '',
  'third/p/d.go': '',
  'fmt/e.go': '',
};
const java: Texts = {
  'src/main/java/p/A.java': 'package p; public class A { class Inner {} }',
  'src/main/java/p/B.java': 'package p; class B {} class Extra {}',
  'src/test/java/p/ATest.java': 'package p; class ATest {}',
  'src/main/java/q/C.java': 'package q; class C {}',
};
const php: Texts = {
  'composer.json': '{"autoload": {"psr-4": {"App\\\\": "src/", "App\\\\Deep\\\\": ["deep/"]}}}',
  'src/Thing.php': '<?php namespace App; class Thing {}',
  'deep/Other.php': '<?php',
  'src/Deep/Other.php': '<?php',
  'main.php': '<?php',
};
const ruby: Texts = {
  'thing.gemspec': '',
  'lib/thing.rb': '',
  'lib/thing/part.rb': '',
  'lib/thing/near.rb': '',
  'test/helper.rb': '',
  'test/a_test.rb': '',
  'sub/sub.gemspec': '',
  'sub/lib/sub/x.rb': '',
};
const csharp: Texts = {
  'src/One.cs': 'namespace My.App;\npublic class One { }',
  'lib/Two.cs': 'namespace My.App {\n  public class Two { }\n}',
  'src/Data.cs': 'namespace My.Data { class Common { } }',
  'main.cs': 'class Program { }',
};
const elixir: Texts = {
  'lib/plug/conn.ex': 'defmodule Plug.Conn do\n  defmodule Bad do\n  end\nend\n',
  'lib/other.ex': 'defmodule Other.Conn do\nend\n',
  'a.exs': '',
};
const lua: Texts = {
  'lua/tool/init.lua': '',
  'lua/tool/view/render.lua': '',
  'tests/tool.lua': '',
  'lua/tool/example/tool.lua': '',
};
const scala: Texts = {
  'src/main/scala/p/a/package.scala': 'package p\npackage object a { def run = 1 }',
  'src/main/scala/p/a/Thing.scala': 'package p.a\nclass Thing',
  'src/main/scala/q/Use.scala': 'package q',
};
const swift: Texts = { 'Sources/Core/A.swift': '', 'Sources/Core/Deep/B.swift': '', 'Tests/CoreTests/T.swift': '' };
const bash: Texts = { 'bin/run': '', 'bin/run.sh': '', 'lib/common.sh': '', 'lib/more.bash': '' };
const c: Texts = {
  'include/lib/a.h': '',
  'src/lib/b.h': '',
  'src/main.c': '',
  'src/local.h': '',
  'other/string.h': '',
};

test.each<readonly [string, Texts, from: string, specifier: string, to: string | null]>([
  ['python: a package', flat, 'tests/test_a.py', 'pkg', 'pkg/__init__.py'],
  ['python: a module', flat, 'tests/test_a.py', 'pkg.sub.b', 'pkg/sub/b.py'],
  ['python: beside a script', flat, 'scripts/tool.py', 'helper', 'scripts/helper.py'],
  ['python: a module of a package does not see its neighbours so', flat, 'pkg/a.py', 'json', null],
  ['python: relative', flat, 'pkg/sub/b.py', '..a', 'pkg/a.py'],
  ['python: the package around', flat, 'pkg/sub/b.py', '.', 'pkg/sub/__init__.py'],
  ['python: what the package itself defines', flat, 'pkg/sub/b.py', '.thing', 'pkg/sub/__init__.py'],
  ['python: above the root', flat, 'pkg/a.py', '....x', null],
  ['python: a configured root', sourced, 'tests/test_b.py', 'thing.c', 'code/thing/c.py'],
  ['python: a namespace package', sourced, 'tests/test_b.py', 'space.inner.d', 'code/space/inner/d.py'],
  ['python: src', sourced, 'tests/test_b.py', 'other', 'src/other/__init__.py'],
  ['python: the standard library', sourced, 'tests/test_b.py', 'os.path', null],

  ['rust: crate', rust, 'core/src/c/d.rs', 'crate::a::b::Thing', 'core/src/a/b.rs'],
  ['rust: self', rust, 'core/src/a.rs', 'self::b', 'core/src/a/b.rs'],
  ['rust: super', rust, 'core/src/a/b.rs', 'super::Thing', 'core/src/a.rs'],
  ['rust: super of mod.rs', rust, 'core/src/c/mod.rs', 'super::a', 'core/src/a.rs'],
  ['rust: super twice', rust, 'core/src/c/d.rs', 'super::super::a', 'core/src/a.rs'],
  ['rust: another crate of the workspace', rust, 'web/code/e.rs', 'my_core::c::d::X', 'core/src/c/d.rs'],
  ['rust: a crate by the name of its library', rust, 'core/src/a.rs', 'site::e', 'web/code/e.rs'],
  ['rust: from a test', rust, 'core/tests/it.rs', 'my_core::a', 'core/src/a.rs'],
  ['rust: the standard library', rust, 'core/src/a.rs', 'std::io', null],

  ['go: a package of the module', go, 'main.go', 'example.com/m/x/y', 'x/y/a.go x/y/b.go'],
  ['go: a replaced module', go, 'main.go', 'example.com/other/p', 'third/p/d.go'],
  ['go: the standard library, whatever folders there are', go, 'main.go', 'fmt', null],

  ['java: a class', java, 'src/main/java/q/C.java', 'p.A', 'src/main/java/p/A.java'],
  ['java: a class inside', java, 'src/main/java/q/C.java', 'p.A.Inner', 'src/main/java/p/A.java'],
  ['java: a member', java, 'src/main/java/q/C.java', 'p.A.member', 'src/main/java/p/A.java'],
  ['java: a class in the file of another', java, 'src/main/java/q/C.java', 'p.Extra', 'src/main/java/p/B.java'],
  [
    'java: a whole package',
    java,
    'src/main/java/q/C.java',
    'p.*',
    'src/main/java/p/A.java src/main/java/p/B.java src/test/java/p/ATest.java',
  ],
  ['java: the standard library', java, 'src/main/java/q/C.java', 'java.util.List', null],

  ['php: psr-4', php, 'main.php', 'App\\Thing', 'src/Thing.php'],
  ['php: the longer prefix wins', php, 'main.php', 'App\\Deep\\Other', 'deep/Other.php'],
  ['php: a package from outside', php, 'main.php', 'Psr\\Log\\LoggerInterface', null],

  ['ruby: relative', ruby, 'lib/thing/part.rb', './near', 'lib/thing/near.rb'],
  ['ruby: along the load path', ruby, 'test/a_test.rb', 'thing/part', 'lib/thing/part.rb'],
  ['ruby: beside', ruby, 'test/a_test.rb', 'helper', 'test/helper.rb'],
  ['ruby: another gem', ruby, 'test/a_test.rb', 'sub/x', 'sub/lib/sub/x.rb'],
  ['ruby: the standard library', ruby, 'test/a_test.rb', 'json', null],

  ['c#: every file that declares the namespace', csharp, 'main.cs', 'My.App', 'src/One.cs lib/Two.cs'],
  ['c#: a type in a namespace', csharp, 'main.cs', 'My.App.Two', 'lib/Two.cs'],
  ['c#: what only ends alike', csharp, 'main.cs', 'System.Data.Common', null],
  ['elixir: a module', elixir, 'a.exs', 'Plug.Conn', 'lib/plug/conn.ex'],
  ['elixir: a module inside', elixir, 'a.exs', 'Plug.Conn.Bad', 'lib/plug/conn.ex'],
  ['elixir: a module from outside', elixir, 'a.exs', 'Ecto.Conn', null],
  ['lua: a folder', lua, 'tests/tool.lua', 'tool', 'lua/tool/init.lua'],
  ['lua: a file', lua, 'tests/tool.lua', 'tool.view.render', 'lua/tool/view/render.lua'],
  ['scala: a class', scala, 'src/main/scala/q/Use.scala', 'p.a.Thing', 'src/main/scala/p/a/Thing.scala'],
  ['scala: what the package holds', scala, 'src/main/scala/q/Use.scala', 'p.a.run', 'src/main/scala/p/a/package.scala'],
  ['scala: a package from outside', scala, 'src/main/scala/q/Use.scala', 'p.a.b.C', null],
  ['swift: a module', swift, 'Tests/CoreTests/T.swift', 'Core', 'Sources/Core/A.swift Sources/Core/Deep/B.swift'],
  ['swift: a module from outside', swift, 'Tests/CoreTests/T.swift', 'Foundation', null],
  [
    'bash: beside the script, wherever it is run',
    bash,
    'bin/run.sh',
    '"$(dirname "$0")/../lib/common.sh"',
    'lib/common.sh',
  ],

  ['c: beside', c, 'src/main.c', 'local.h', 'src/local.h'],
  ['c: below include', c, 'src/main.c', '<lib/a.h>', 'include/lib/a.h'],
  ['c: below include, written as from there', c, 'src/main.c', '<./lib/../lib/a.h>', 'include/lib/a.h'],
  ['c: not below include, though a folder below it has one', c, 'src/main.c', './a.h', null],
  ['c: below src', c, 'src/main.c', 'lib/b.h', 'src/lib/b.h'],
  ['c: the system', c, 'src/main.c', '<string.h>', null],
])('%s', async (_rule, texts, from, specifier, to) => {
  expect(await resolved(texts, from, specifier)).toBe(to);
});
