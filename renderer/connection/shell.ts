// The shell around this window: Electron's main process by way of the preload script, or the browser substitute.
import { AppError, toAppError } from '#shared/protocol/errors.ts';
import type { ShellApi } from '#shared/shell-api.ts';
import { browserShell } from './browser-shell.ts';

const fromPreload = (window as { readonly sidelite?: ShellApi }).sidelite;

/**
 * What main refuses comes through the context bridge as a bare Error, without class and fields
 * (electronjs.org/docs/latest/api/context-bridge). Its message is the preload's own, a whole sentence.
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
  throw thrown instanceof Error ? new AppError({ code: 'internal', message: thrown.message }) : toAppError(thrown);
}

/** False in a plain browser tab: no native menu, files or windows. */
export const isDesktop = fromPreload !== undefined;

export const shell: ShellApi = fromPreload ? withAppErrors(fromPreload) : browserShell;
