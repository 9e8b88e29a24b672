// The figures of functions while a lazily read tree is walked: what is on the stack, and how deep a place is nested.

import type { FunctionKind } from '../functionUnit.ts';
import type { LazyNode } from './lazyTree.ts';

/** What `FunctionUnit` says of it, in the meaning of `metrics/scriptMetrics.ts`, but for its name and where it begins. */
export class SkimFrame {
  readonly node: LazyNode;
  readonly kind: FunctionKind;
  /** Of a field, where its value begins: what stands before belongs to the frame around it. */
  readonly start: number;
  cyclomatic = 1;
  cognitive = 0;
  /** Increments that grow with nesting. */
  structural = 0;
  depth = 0;
  deepestDepth = 0;
  deepest: number | null = null;
  statements = 0;
  /** Start and end, in turn, of the parts of control structures that the walk is in or comes to; inner ones last. */
  private readonly parts: number[] = [];

  constructor(node: LazyNode, kind: FunctionKind, start: number) {
    this.node = node;
    this.kind = kind;
    this.start = start;
  }

  /** How many parts hold a place. */
  nestedAt(place: number): number {
    let nested = 0;
    for (let at = 0; at < this.parts.length; at += 2) if (this.parts[at]! <= place && place < this.parts[at + 1]!) nested++;
    return nested;
  }

  addPart(start: number, end: number): void {
    this.parts.push(start, end);
  }

  /** The walk leaves a structure: its parts begin behind its first letter. */
  leave({ start, end }: LazyNode): void {
    for (let last = this.parts.length - 2; last >= 0 && this.parts[last]! > start && this.parts[last]! < end; last -= 2) this.parts.length = last;
  }

  addStructural(place: number): void {
    this.cognitive += 1 + this.nestedAt(place);
    this.structural++;
  }

  deepen(place: number): void {
    this.depth++;
    if (this.depth <= this.deepestDepth) return;
    this.deepestDepth = this.depth;
    this.deepest = place;
  }
}

export class SkimFrames {
  private readonly frames: SkimFrame[] = [];
  /** In the order in which they end. */
  readonly closed: SkimFrame[] = [];

  open(node: LazyNode, kind: FunctionKind, start: number): void {
    this.frames.push(new SkimFrame(node, kind, start));
  }

  /** The frame that a place belongs to. */
  at(place: number): SkimFrame {
    let index = this.frames.length - 1;
    while (index > 0 && place < this.frames[index]!.start) index--;
    return this.frames[index]!;
  }

  /** Ends the frame of a node; nothing where it has none. */
  close(node: LazyNode): void {
    const frame = this.frames.at(-1);
    if (frame?.node !== node) return;
    this.frames.pop();
    // What runs as part of the function around it is as hard to follow there.
    if (this.frames.length > 0 && (frame.kind === 'staticBlock' || frame.kind === 'fieldInitialiser')) {
      const outer = this.at(node.start);
      outer.cognitive += frame.cognitive + frame.structural * outer.nestedAt(node.start);
    }
    this.closed.push(frame);
  }
}
