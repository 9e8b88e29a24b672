// Types of the part of oxc-parser that reads a tree where it is asked; the package has none for it.

declare module 'oxc-parser/src-js/raw-transfer/lazy.js' {
  type Node = import('../../core/analysis/skim/lazyTree.ts').LazyNode;
  export class Visitor {
    constructor(handlers: Readonly<Record<string, (node: Node) => void>>);
    readonly brand: 'visitor';
  }
  export function parseSyncLazy(
    filename: string,
    text: string,
    options: { readonly lang: string; readonly sourceType: string },
  ): { readonly program: Node; readonly errors: readonly unknown[]; visit(visitor: import('../../core/analysis/skim/lazyTree.ts').LazyVisitor): void; dispose(): void };
}
