// Maps each language to the tree-sitter grammar (wasm) in its npm package.

import type { Language } from '../../core/model.ts';

/** Paths below node_modules, by language. */
export const PACKAGED_GRAMMARS: Readonly<Record<Language | 'tree-sitter', string>> = {
  'tree-sitter': 'web-tree-sitter/web-tree-sitter.wasm',
  typescript: 'tree-sitter-typescript/tree-sitter-typescript.wasm',
  tsx: 'tree-sitter-typescript/tree-sitter-tsx.wasm',
  javascript: 'tree-sitter-javascript/tree-sitter-javascript.wasm',
  python: 'tree-sitter-python/tree-sitter-python.wasm',
  rust: 'tree-sitter-rust/tree-sitter-rust.wasm',
  go: 'tree-sitter-go/tree-sitter-go.wasm',
  java: 'tree-sitter-java/tree-sitter-java.wasm',
  c: 'tree-sitter-c/tree-sitter-c.wasm',
  cpp: 'tree-sitter-cpp/tree-sitter-cpp.wasm',
  ruby: 'tree-sitter-ruby/tree-sitter-ruby.wasm',
  php: 'tree-sitter-php/tree-sitter-php.wasm',
  csharp: 'tree-sitter-c-sharp/tree-sitter-c_sharp.wasm',
  scala: 'tree-sitter-scala/tree-sitter-scala.wasm',
  elixir: 'tree-sitter-elixir/tree-sitter-elixir.wasm',
  // The language's own package contains no wasm file; this package builds it from that one.
  swift: '@repomix/tree-sitter-wasms/out/tree-sitter-swift.wasm',
  bash: 'tree-sitter-bash/tree-sitter-bash.wasm',
  lua: '@tree-sitter-grammars/tree-sitter-lua/tree-sitter-lua.wasm',
  kotlin: '@tree-sitter-grammars/tree-sitter-kotlin/tree-sitter-kotlin.wasm',
  haskell: 'tree-sitter-haskell/tree-sitter-haskell.wasm',
  zig: '@tree-sitter-grammars/tree-sitter-zig/tree-sitter-zig.wasm',
};
