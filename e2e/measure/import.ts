// A database of gigabytes on its way into the library and out again: speed, memory, and whether it can be stopped.
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from '@playwright/test';
import { AppWindow } from '../pages/app-window.ts';
import type { SideliteApp } from '../sidelite-app.ts';
import { LONG, secondsOf, withApp } from './apps.ts';
import { quietMoment, withMemorySamples } from './machine.ts';
import type { Memory } from './machine.ts';
import type { Report } from './report.ts';

/** Times at which a phase of the running job was first and last seen on the screen. */
type Phases = Record<string, { readonly first: number; readonly last: number }>;

export async function measureImport(report: Report, file: string): Promise<void> {
  const megabytes = statSync(file).size / 1e6;
  await withApp('library', async (app) => {
    const view = new AppWindow(await app.start());
    await quietMoment();
    const { result, samples } = await withMemorySamples(app, () => timedImport(app, view, file));
    report.add('import: whole', 'MB/s', [megabytes / result.seconds]);
    for (const [phase, { first, last }] of Object.entries(result.phases))
      report.add(`import: ${phase.toLowerCase()}`, 's', [(last - first) / 1000]);
    reportMemory(report, 'import', samples);
    await measureExport(report, app, view, megabytes);
    await measureStop(report, app, view, file, 'Copying');
    await measureStop(report, app, view, file, 'Checking');
  });
}

async function timedImport(
  app: SideliteApp,
  view: AppWindow,
  file: string,
): Promise<{ readonly seconds: number; readonly phases: Phases }> {
  await view.page.evaluate(recordPhases);
  const seconds = await secondsOf(async () => {
    await view.openFile(app, file);
    await expect(view.grid().root).toBeVisible(LONG);
    await expect(view.grid().rows.first()).toBeAttached(LONG);
  });
  return { seconds, phases: await view.page.evaluate(() => window.phases ?? {}) };
}

async function measureExport(report: Report, app: SideliteApp, view: AppWindow, megabytes: number): Promise<void> {
  await app.answerSaveDialog(join(app.folder, 'exported.db'));
  await quietMoment();
  const { result, samples } = await withMemorySamples(app, () =>
    secondsOf(async () => {
      await view.backUp();
      await expect(view.messages).toContainText('was backed up', LONG);
    }),
  );
  report.add('export: whole', 'MB/s', [megabytes / result]);
  reportMemory(report, 'export', samples);
}

async function measureStop(
  report: Report,
  app: SideliteApp,
  view: AppWindow,
  file: string,
  phase: string,
): Promise<void> {
  const card = view.page.getByRole('region', { name: /Import|Opening|huge|^Open/ }).filter({ hasText: phase });
  await view.openFile(app, file);
  await view.dialog.getByRole('button', { name: 'New copy' }).click();
  await expect(card).toBeVisible(LONG);
  const began = performance.now();
  await card.getByRole('button', { name: 'Cancel' }).click();
  await expect(card).toHaveCount(0, LONG);
  report.add(`stop an import while ${phase.toLowerCase()}`, 'ms', [performance.now() - began]);
}

function reportMemory(report: Report, what: string, samples: readonly Memory[]): void {
  for (const process of ['main', 'host', 'window'] as const) {
    report.add(
      `${what}: memory of ${process}`,
      'MB',
      samples.map((sample) => sample[process]),
    );
  }
}

declare global {
  interface Window {
    phases?: Phases;
  }
}

function recordPhases(): void {
  const phases: Record<string, { first: number; last: number }> = {};
  window.phases = phases;
  const look = (): void => {
    const phase = document.querySelector('.job-facts')?.textContent?.split(' · ')[0];
    if (phase) phases[phase] = { first: phases[phase]?.first ?? performance.now(), last: performance.now() };
    requestAnimationFrame(look);
  };
  look();
}
