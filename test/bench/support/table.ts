// Formats tables as Markdown, for a terminal and for documents, and as data.

import type { Cell, Column, Table } from './bench.ts';
import type { Figure } from './statistics.ts';

/** A Markdown table with aligned columns. */
export function formatTable(table: Table): string {
  const header = table.columns.map(({ name, unit }) => (unit ? `${name} (${unit})` : name));
  const body = table.rows.map((row) => row.map((cell, index) => formatCell(cell, table.columns[index])));
  const widths = header.map((name, index) => Math.max(name.length, ...body.map((row) => row[index]?.length ?? 0), 3));
  const rightAligned = header.map((_, index) =>
    table.rows.some((row) => row[index] !== null && typeof row[index] !== 'string'),
  );
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell, index) => (rightAligned[index] ? cell.padStart(widths[index]!) : cell.padEnd(widths[index]!))).join(' | ')} |`;
  const rule = `|${widths.map((width, index) => (rightAligned[index] ? `${'-'.repeat(width + 1)}:` : '-'.repeat(width + 2))).join('|')}|`;
  return [
    `**${table.title}**`,
    '',
    line(header),
    rule,
    ...body.map(line),
    ...(table.notes.length > 0 ? ['', ...table.notes.map((note) => `- ${note}`)] : []),
  ].join('\n');
}

/** The table with its rows as objects, for `--json`. */
export function toTableData(table: Table): unknown {
  return {
    title: table.title,
    columns: table.columns,
    rows: table.rows.map((row) =>
      Object.fromEntries(table.columns.map(({ name }, index) => [name, row[index] ?? null])),
    ),
    notes: table.notes,
  };
}

function formatCell(cell: Cell | undefined, column: Column | undefined): string {
  if (cell === null || cell === undefined) return '–';
  if (typeof cell === 'string') return cell;
  if (typeof cell === 'number') return formatNumber(cell, column);
  return cell.n > 1
    ? `${formatNumber(cell.median, column)} [${formatRange(cell, column)}]`
    : formatNumber(cell.median, column);
}

function formatRange({ low, high }: Figure, column: Column | undefined): string {
  return `${formatNumber(low, column)}–${formatNumber(high, column)}`;
}

function formatNumber(value: number, column: Column | undefined): string {
  if (!Number.isFinite(value)) return 'unknown';
  const digits =
    column?.digits ?? (Math.abs(value) >= 100 || Number.isInteger(value) ? 0 : Math.abs(value) >= 10 ? 1 : 2);
  return value.toLocaleString('en-US', { minimumFractionDigits: digits, maximumFractionDigits: digits });
}
