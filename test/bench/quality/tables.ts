// Formats scores as lines of text for a person.

import { BUDGETS, groupBy } from './measures.ts';
import { meanByRepository, type Asked, type Scored } from './measured.ts';

/** The scores over all questions, and by language, category and repository. */
export function formatSummary(scored: readonly Scored<Asked>[]): string {
  const lines = [
    `NDCG@10 ${formatFigure(meanByRepository(scored))} over ${new Set(scored.map(({ question }) => question.repository.name)).size} repositories, ${scored.length} questions`,
  ];
  lines.push(formatGroups('by language', scored, ({ question }) => question.repository.language));
  lines.push(formatGroups('by category', scored, ({ question }) => question.category));
  lines.push(formatGroups('by repository', scored, ({ question }) => question.repository.name));
  if (scored.some(({ recall }) => recall.length > 0))
    lines.push(
      `recall: ${BUDGETS.map((budget, index) => `${budget / 1000}k ${formatFigure(meanByRepository(scored, ({ recall }) => recall[index]!))}`).join('  ')}`,
    );
  return lines.join('\n');
}

/** A score with four digits and without a leading zero. */
export function formatFigure(value: number): string {
  return value.toFixed(4).replace(/^0/, '');
}

/** The scores of each group in one line, the worst first. */
function formatGroups(title: string, scored: readonly Scored<Asked>[], key: (entry: Scored<Asked>) => string): string {
  const rows = [...groupBy(scored, key)].map(([name, entries]) => [name, meanByRepository(entries)] as const);
  return `${title}: ${rows
    .sort((a, b) => a[1] - b[1])
    .map(([name, value]) => `${name} ${formatFigure(value)}`)
    .join('  ')}`;
}
