// What was measured: the numbers of several runs, summed up, printed as one table and kept as JSON.
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { summarize } from '../../shared/bench/statistics.ts';
import { loadNow } from './machine.ts';
import type { Load } from './machine.ts';

type Unit = 'ms' | 's' | 'MB' | 'MB/s' | 'fps' | '%' | 'x' | '1/s' | 'commits';

interface Line {
  readonly what: string;
  readonly unit: Unit;
  readonly count: number;
  readonly least: number;
  readonly median: number;
  readonly p95: number;
  readonly most: number;
  /** Load of the machine once the measurements were complete. */
  readonly load: Load;
}

export class Report {
  readonly lines: Line[] = [];
  readonly notes: string[] = [];

  add(what: string, unit: Unit, values: readonly number[]): void {
    if (values.length === 0) return this.note(`${what}: nothing was measured`);
    const { count, min: least, median, p95, max: most } = summarize(values);
    this.lines.push({ what, unit, count, least, median, p95, most, load: loadNow() });
    console.log(`  ${what}: ${format(median)} ${unit}`);
  }

  /** Ratios within a round: what slows down one of the two slows down the other. */
  addRatio(what: string, ours: readonly number[], theirs: readonly number[]): void {
    const ratios = ours.map((value, round) => value / theirs[round]!);
    this.add(what, 'x', ratios);
  }

  note(text: string): void {
    this.notes.push(text);
    console.log(`  ${text}`);
  }

  print(): void {
    const head = ['', 'median', 'least', 'p95', 'most', 'unit', 'n', 'load'];
    const rows = this.lines.map(({ what, unit, count, least, median, p95, most, load }) => [
      what,
      ...[median, least, p95, most].map(format),
      unit,
      String(count),
      load.lastMinute.toFixed(1),
    ]);
    const widths = head.map((_, column) => Math.max(...[head, ...rows].map((row) => row[column]!.length)));
    for (const row of [head, ...rows]) {
      console.log(
        row.map((text, column) => (column === 0 ? text.padEnd(widths[0]!) : text.padStart(widths[column]!))).join('  '),
      );
    }
    for (const note of this.notes) console.log(note);
  }

  write(path: string, about: object): void {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, JSON.stringify({ ...about, lines: this.lines, notes: this.notes }, null, 2));
    console.log(`Written to ${path}`);
  }
}

function format(value: number): string {
  return value >= 100 ? value.toFixed(0) : value.toFixed(value >= 10 ? 1 : 2);
}
