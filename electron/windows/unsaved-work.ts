// The question before windows are closed that would lose work: their pages name the work.
import { dialog } from 'electron';
import * as v from 'valibot';
import { visibleName, visibleText } from '#shared/visible-text.ts';
import { answerOf } from './page-timeout.ts';
import { bringToFront, question, windowTitle } from './registry.ts';
import type { AppWindow } from './registry.ts';

/** A page that does not answer has stopped working: waiting longer would save nothing. */
const ANSWER_TIMEOUT_MS = 10_000;
const MOST_LINES = 10;

interface Loss {
  readonly window: AppWindow;
  readonly lines: readonly string[];
}

/**
 * Asks the user about everything that would be lost with `windows` (all windows when quitting). Resolves with true at once if nothing would
 * be lost.
 */
export async function mayLoseWork(windows: readonly AppWindow[], verb: 'Close' | 'Quit'): Promise<boolean> {
  const losses = (await Promise.all(windows.map(lossOf))).filter(({ lines }) => lines.length > 0);
  if (losses.length === 0) return true;
  const { window } = losses[0]!;
  if (window.browserWindow.isDestroyed()) return true;
  bringToFront(window);
  const { response } = await dialog.showMessageBox(window.browserWindow, {
    type: 'question',
    message: verb === 'Quit' ? 'Quit Sidelite?' : `Close ${windowTitle(window)}?`,
    detail: detailOf(losses, windows.length > 1),
    buttons: [`${verb} Anyway`, 'Cancel'],
    defaultId: 1,
    cancelId: 1,
    noLink: true,
  });
  return response === 0;
}

async function lossOf(window: AppWindow): Promise<Loss> {
  const late = 'did not say what would be lost with it';
  const named = await answerOf(window, () => question(window, 'window.askedToClose'), {
    timeoutMs: ANSWER_TIMEOUT_MS,
    late,
  });
  return { window, lines: linesOf(named) };
}

/**
 * The page may be compromised: it can make this question silly, but neither long nor endless. Names in a line, such as those of tables, are
 * anyone's, and begin no line of their own.
 */
export function linesOf(named: unknown): readonly string[] {
  const texts = v.safeParse(v.array(v.string()), named);
  if (!texts.success) return [];
  const lines = texts.output.slice(0, MOST_LINES + 1).map((text) => visibleText(visibleName(text)));
  const rest = texts.output.length - MOST_LINES;
  return rest > 0 ? [...lines.slice(0, MOST_LINES), `… and ${rest} more`] : lines;
}

function detailOf(losses: readonly Loss[], namesWindows: boolean): string {
  return losses
    .map(({ window, lines }) => (namesWindows ? [`${windowTitle(window)}:`, ...lines] : lines).join('\n'))
    .join('\n\n');
}
