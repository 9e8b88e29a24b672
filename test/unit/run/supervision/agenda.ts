// Simulated time: what is due, in order. A binary heap, because a simulated day has tens of thousands of entries.

interface Entry {
  readonly at: number;
  /** Entries of the same time keep their order. */
  readonly order: number;
  readonly act: () => void;
}

export class Agenda {
  now = 0;
  private readonly heap: Entry[] = [];
  private count = 0;

  /** `act` runs at this time, or now if that has passed. */
  at(time: number, act: () => void): void {
    const entry = { at: Math.max(time, this.now), order: (this.count += 1), act };
    let index = this.heap.push(entry) - 1;
    while (index > 0) {
      const parent = (index - 1) >> 1;
      if (!isBefore(entry, this.heap[parent]!)) break;
      this.heap[index] = this.heap[parent]!;
      index = parent;
    }
    this.heap[index] = entry;
  }

  /** Runs everything that is due up to this time. */
  runUntil(time: number): void {
    for (let first = this.heap[0]; first !== undefined && first.at <= time; first = this.heap[0]) {
      this.removeFirst();
      this.now = first.at;
      first.act();
    }
    this.now = time;
  }

  private removeFirst(): void {
    const last = this.heap.pop()!;
    if (this.heap.length === 0) return;
    let index = 0;
    for (;;) {
      let child = 2 * index + 1;
      if (child >= this.heap.length) break;
      if (child + 1 < this.heap.length && isBefore(this.heap[child + 1]!, this.heap[child]!)) child += 1;
      if (!isBefore(this.heap[child]!, last)) break;
      this.heap[index] = this.heap[child]!;
      index = child;
    }
    this.heap[index] = last;
  }
}

function isBefore(a: Entry, b: Entry): boolean {
  return a.at < b.at || (a.at === b.at && a.order < b.order);
}
