// The shell around this window: Electron's main process, through the preload script, or its substitute in a browser.
import { AppError, toAppError } from '#shared/protocol/errors.ts';
import type { ShellApi } from '#shared/shell-api.ts';
import { browserShell } from './browser-shell.ts';

const fromPreload = (window as { readonly sidelite?: ShellApi }).sidelite;

/**
 * Errors from main cross the context bridge as plain Errors, without class and fields (electronjs.org/docs/latest/api/context-bridge).
 * Their message is the preload's own, a full sentence.
 */
function withAppErrors<T extends object>(api: T): T {
  const members = Object.entries(api).map(([name, member]: [string, unknown]) => {
    if (typeof member !== 'function') return [name, withAppErrors(member as object)];
    return [
      name,
      (...args: unknown[]): unknown => {
        const answer: unknown = member(...args);
        return answer instanceof Promise ? answer.catch(rethrow) : answer;
      },
    ];
  });
  return Object.fromEntries(members) as T;
}

function rethrow(thrown: unknown): never {
  throw thrown instanceof Error ? AppError.internal(thrown.message) : toAppError(thrown);
}

/** False in a plain browser tab: no native menu, files or windows. */
export const isDesktop = fromPreload !== undefined;

export const shell: ShellApi = fromPreload ? withAppErrors(fromPreload) : browserShell;
