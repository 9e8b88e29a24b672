// Prints the questions with the worst answers: which places came before the wanted one, and by which signals.

import { rankChunks } from '../../../server/src/core/index/search/rank.ts';
import { SIGNALS } from '../../../server/src/core/index/search/weights.ts';
import { isHit } from './measures.ts';
import type { WeightsByKind, Scored } from './measured.ts';
import { formatFigure } from './tables.ts';

const SHOWN = 5;

/** Prints the `count` questions with the lowest NDCG@10. */
export function showMisses(scored: readonly Scored[], { prose, symbol }: WeightsByKind, count: number): void {
  for (const { question, ndcg } of [...scored].sort((a, b) => a.ndcg - b.ndcg).slice(0, count)) {
    const { measured, relevant } = question;
    console.log(`\n${formatFigure(ndcg)} ${question.repository.name} (${question.category}): ${question.query}`);
    const best = Object.fromEntries(
      SIGNALS.map((signal) => [signal, Math.max(...measured.signals[signal], Number.MIN_VALUE)]),
    );
    const ranked = rankChunks(measured, question.isSymbol ? symbol : prose, Infinity);
    const describePlace = (rankIndex: number) => {
      const { chunk, score } = ranked[rankIndex]!;
      const { path, startLine, endLine, symbol: name } = chunk.file.record.chunks[chunk.position]!;
      const row = measured.chunks.indexOf(chunk);
      const parts = SIGNALS.flatMap((signal) =>
        measured.signals[signal][row]! > 0
          ? [`${signal} ${(measured.signals[signal][row]! / best[signal]!).toFixed(2)}`]
          : [],
      );
      return `${String(rankIndex + 1).padStart(4)} ${score.toFixed(2)} ${path}:${startLine}-${endLine} ${name ?? ''} [×${measured.penalties[row]!.toFixed(2)} ${parts.join(' ')}]`;
    };
    for (let rankIndex = 0; rankIndex < Math.min(SHOWN, ranked.length); rankIndex++)
      console.log(describePlace(rankIndex));
    for (const target of relevant) {
      const targetIndex = ranked.findIndex(({ chunk }) => isHit(chunk.file.record.chunks[chunk.position]!, target));
      console.log(
        `  wanted ${target.path}${target.startLine ? `:${target.startLine}-${target.endLine}` : ''}: ${targetIndex < 0 ? 'not among the candidates' : ''}`,
      );
      if (targetIndex >= 0) console.log(describePlace(targetIndex));
    }
  }
}
