// The screens that measure: one text on both engines, and the benchmark.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from '@playwright/test';
import { someResult } from '../data/bench-result.ts';
import type { SideliteApp } from '../sidelite-app.ts';
import type { AppWindow } from './app-window.ts';
import { BenchmarkPage } from './benchmark-page.ts';
import { ComparePage } from './compare-page.ts';
import type { OnScreen } from './on-screen.ts';

export async function tourOfCompare(view: AppWindow, at: OnScreen): Promise<void> {
  const compare = new ComparePage(view);
  await compare.open("SELECT id, name, price_cents, sqlite_compileoption_used('SOUNDEX') AS soundex FROM product;");
  await expect(compare.verdict).not.toBeEmpty({ timeout: 60_000 });
  await expect(compare.native.cell(0, 'name')).toBeAttached({ timeout: 60_000 });
  await at('compare');
  for (const part of ['Plans', 'Times', 'Engines'] as const) {
    await compare.part(part);
    await at(`compare-${part.toLowerCase()}`);
  }
}

export async function tourOfBenchmark(app: SideliteApp, view: AppWindow, at: OnScreen): Promise<void> {
  const bench = new BenchmarkPage(view);
  await bench.open();
  await bench.setUp([/^Round trips/], ['Sidelite, memory'], 3);
  await view.page.getByRole('checkbox').first().scrollIntoViewIfNeeded();
  await at('benchmark-setup');
  await bench.begin();
  await expect(bench.cell(/^insert-/).first()).toBeVisible({ timeout: 60_000 });
  await at('benchmark-run');
  await bench.strip.getByRole('button', { name: 'Stop' }).click();
  await bench.done();
  const result = someResult(40);
  const cells = result.cells.map((cell) => ({ ...cell, samples: cell.samples.map((sample) => sample * 50 + 100) }));
  for (const [name, theirs] of [['before.json', { ...result, cells }] as const, ['now.json', result] as const]) {
    const file = join(app.folder, name);
    writeFileSync(file, JSON.stringify(theirs));
    await bench.import(app, file);
    await expect(view.page.getByText(`imported from ${name}`)).toBeVisible();
  }
  await expect(bench.cell(/^test-1/).first()).toBeVisible();
  await at('benchmark-result');
  await bench
    .cell(/^test-1/)
    .first()
    .click();
  await expect(bench.details).toBeVisible();
  await at('benchmark-details');
  await view.page.keyboard.press('Escape');
  for (const part of ['Plots', 'Growth', 'Environment'] as const) {
    await view.page.getByRole('radio', { name: part, exact: true }).click();
    await at(`benchmark-${part.toLowerCase()}`);
  }
  await view.page.getByRole('button', { name: 'Compare', exact: true }).click();
  await view.page.getByRole('menu').getByRole('menuitem').first().click();
  await expect(view.page.getByRole('table', { name: 'Comparison' })).toBeVisible();
  await at('benchmark-comparison');
  await bench.screen('Kept runs').click();
  await at('benchmark-runs');
}
