// Training: words and their code come close, words and the code of other pairs in the batch move apart.
// Oord et al., "Representation Learning with Contrastive Predictive Coding", 2018 (InfoNCE), in both directions;
// Duchi et al., "Adaptive Subgradient Methods", 2011 (a step of its own for each number).

import type { Bags, Dataset } from './dataset.ts';
import { createKernels, type Kernels } from './kernels.ts';
import { shuffle } from './random.ts';

export interface TrainingOptions {
  /** A multiple of 8. */
  readonly dimensions: number;
  readonly batch: number;
  /**
   * Pairs of one repository that come together in a batch: what is told apart there is what a search must tell apart.
   */
  readonly together: number;
  readonly temperature: number;
  readonly rate: number;
  readonly epochs: number;
  /** Share of code terms that are left out at random, so that no pair is known by one word. */
  readonly dropout: number;
}

/** Pulls below this change nothing that would be seen. */
const FAINT = 1e-5;
const REPORT_EVERY = 500;
/** The last steps are this share of the first. */
const LAST_PACE = 0.05;

/** Changes `rows` (terms × dimensions) in place. `report` gets the mean loss now and then. */
export function train(
  rows: Float32Array,
  data: Dataset,
  options: TrainingOptions,
  random: () => number,
  report: (epoch: number, share: number, loss: number) => void,
): void {
  const { dimensions: size, batch, temperature, rate, epochs, dropout } = options;
  const table = rows.length * 4;
  const block = batch * size * 4;
  const kernels = createKernels(3 * table + 4 * block + 2 * batch * batch * 4);
  const part = (offset: number, bytes: number): Float32Array =>
    new Float32Array(kernels.memory.buffer, offset, bytes / 4);
  const [values, slopes, squares] = [0, table, 2 * table];
  const words = sideAt(kernels, 3 * table, batch, size);
  const code = sideAt(kernels, 3 * table + 2 * block, batch, size);
  const scoresAt = 3 * table + 4 * block;
  const [scores, pulls] = [part(scoresAt, batch * batch * 4), part(scoresAt + batch * batch * 4, batch * batch * 4)];
  part(values, table).set(rows);
  part(squares, table).fill(1e-8);
  const touched = new Uint8Array(rows.length / size);
  const touchedRows: number[] = [];
  for (let epoch = 0; epoch < epochs; epoch++) {
    const order = batchesOf(data, options, random);
    const steps = Math.floor(order.length / batch);
    let loss = 0;
    for (let step = 0; step < steps; step++) {
      const chosen = order.subarray(step * batch, (step + 1) * batch);
      forward(words, data.words, chosen, kernels, 0, random);
      forward(code, data.code, chosen, kernels, dropout, random);
      for (let i = 0; i < batch; i++)
        kernels.dots(words.vectorsAt + i * size * 4, code.vectorsAt, size * 4, batch, scoresAt + i * batch * 4);
      loss += pullsOf(scores, pulls, batch, temperature);
      words.change.fill(0);
      code.change.fill(0);
      for (let i = 0; i < batch; i++) {
        for (let j = 0; j < batch; j++) {
          const pull = pulls[i * batch + j]!;
          if (pull > -FAINT && pull < FAINT) continue;
          kernels.addScaled(words.changeAt + i * size * 4, code.vectorsAt + j * size * 4, size * 4, pull);
          kernels.addScaled(code.changeAt + j * size * 4, words.vectorsAt + i * size * 4, size * 4, pull);
        }
      }
      for (const side of [words, code]) backward(side, batch, kernels, slopes, touched, touchedRows);
      const pace = rate * (1 - (1 - LAST_PACE) * ((epoch * steps + step) / (epochs * steps)));
      for (const row of touchedRows) {
        const offset = row * size * 4;
        kernels.step(values + offset, slopes + offset, squares + offset, size * 4, pace);
        touched[row] = 0;
      }
      touchedRows.length = 0;
      if (step % REPORT_EVERY === REPORT_EVERY - 1) report(epoch, step / steps, loss / (step + 1));
    }
    report(epoch, 1, loss / Math.max(1, steps));
  }
  rows.set(part(values, table));
}

/** One half of a batch: vectors of length 1, what they were divided by, and how they should change. */
interface Side {
  readonly size: number;
  readonly vectorsAt: number;
  readonly changeAt: number;
  readonly vectors: Float32Array;
  readonly change: Float32Array;
  readonly lengths: Float32Array;
  /** Terms and weights that were used, by pair. */
  readonly terms: number[][];
  readonly weights: number[][];
}

function sideAt({ memory }: Kernels, vectorsAt: number, batch: number, size: number): Side {
  const changeAt = vectorsAt + batch * size * 4;
  return {
    size,
    vectorsAt,
    changeAt,
    vectors: new Float32Array(memory.buffer, vectorsAt, batch * size),
    change: new Float32Array(memory.buffer, changeAt, batch * size),
    lengths: new Float32Array(batch),
    terms: Array.from({ length: batch }, () => []),
    weights: Array.from({ length: batch }, () => []),
  };
}

function forward(
  { vectors, vectorsAt, lengths, size, terms, weights }: Side,
  bags: Bags,
  chosen: Uint32Array,
  kernels: Kernels,
  dropout: number,
  random: () => number,
): void {
  vectors.fill(0);
  for (let i = 0; i < chosen.length; i++) {
    const [ownTerms, ownWeights] = [terms[i]!, weights[i]!];
    ownTerms.length = ownWeights.length = 0;
    for (let at = bags.starts[chosen[i]!]!, end = bags.starts[chosen[i]! + 1]!; at < end; at++) {
      if (dropout > 0 && random() < dropout) continue;
      const term = bags.terms[at]!;
      const weight = bags.weights[at]!;
      ownTerms.push(term);
      ownWeights.push(weight);
      kernels.addScaled(vectorsAt + i * size * 4, term * size * 4, size * 4, weight);
    }
    let square = 0;
    for (let at = i * size; at < (i + 1) * size; at++) square += vectors[at]! * vectors[at]!;
    lengths[i] = Math.sqrt(square) || 1;
    for (let at = i * size; at < (i + 1) * size; at++) vectors[at]! /= lengths[i]!;
  }
}

/** From cosines to how much each pair of vectors should part (positive) or close up; answers the mean loss. */
function pullsOf(scores: Float32Array, pulls: Float32Array, batch: number, temperature: number): number {
  const rowSums = new Float64Array(batch);
  const columnSums = new Float64Array(batch);
  let loss = 0;
  for (let i = 0; i < batch; i++) {
    for (let j = 0, at = i * batch; j < batch; j++, at++) {
      const power = Math.exp((scores[at]! - 1) / temperature);
      pulls[at] = power;
      rowSums[i]! += power;
      columnSums[j]! += power;
    }
    loss -= (2 * (scores[i * batch + i]! - 1)) / temperature;
  }
  const weight = 1 / (2 * temperature);
  for (let i = 0; i < batch; i++) {
    loss += Math.log(rowSums[i]!) + Math.log(columnSums[i]!);
    const own = 1 / rowSums[i]!;
    for (let j = 0, at = i * batch; j < batch; j++, at++) pulls[at] = weight * pulls[at]! * (own + 1 / columnSums[j]!);
    pulls[i * batch + i]! -= 2 * weight;
  }
  return loss / (2 * batch);
}

/** Through the division by the length into the rows of the terms. */
function backward(
  { size, vectors, lengths, change, changeAt, terms, weights }: Side,
  batch: number,
  kernels: Kernels,
  slopes: number,
  touched: Uint8Array,
  touchedRows: number[],
): void {
  for (let i = 0; i < batch; i++) {
    const from = i * size;
    let along = 0;
    for (let at = from; at < from + size; at++) along += change[at]! * vectors[at]!;
    for (let at = from; at < from + size; at++) change[at] = (change[at]! - along * vectors[at]!) / lengths[i]!;
    const own = terms[i]!;
    for (let at = 0; at < own.length; at++) {
      const row = own[at]!;
      if (touched[row] === 0) {
        touched[row] = 1;
        touchedRows.push(row);
      }
      kernels.addScaled(slopes + row * size * 4, changeAt + from * 4, size * 4, weights[i]![at]!);
    }
  }
}

/** All pairs in random order, in runs of `together` from one repository. */
function batchesOf(data: Dataset, { together }: TrainingOptions, random: () => number): Uint32Array {
  const byRepository: number[][] = data.repositories.map(() => []);
  for (let pair = 0; pair < data.size; pair++) byRepository[data.repository[pair]!]!.push(pair);
  const runs: number[][] = [];
  for (const own of byRepository) {
    const mixed = shuffle(own, random);
    for (let at = 0; at + together <= mixed.length; at += together) runs.push(mixed.slice(at, at + together));
  }
  return Uint32Array.from(shuffle(runs, random).flat());
}
