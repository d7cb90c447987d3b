// The file system's refusals as sentences a person can act on.
import { AppError } from '#shared/protocol/errors.ts';

function codeOf(thrown: unknown): string {
  return (thrown as { readonly code?: string } | null)?.code ?? '';
}

export function isMissing(thrown: unknown): boolean {
  return codeOf(thrown) === 'ENOENT';
}

export function readError(fileName: string, thrown: unknown): AppError {
  switch (codeOf(thrown)) {
    case 'ENOENT':
      return new AppError({
        code: 'not-found',
        message: `“${fileName}” is not there any more: it was moved, renamed or deleted. Nothing was changed.`,
      });
    case 'EACCES':
    case 'EPERM':
      return new AppError({
        code: 'io',
        message: `You are not allowed to read “${fileName}”. Change its permissions and try again.`,
      });
    case 'EISDIR':
      return new AppError({ code: 'invalid', message: `“${fileName}” is a folder. Choose a database file inside it.` });
    default:
      return new AppError({
        code: 'io',
        message: `“${fileName}” could not be read (${codeOf(thrown) || String(thrown)}). Nothing was changed.`,
      });
  }
}

export function writeError(fileName: string, thrown: unknown): AppError {
  if (thrown instanceof AppError) return thrown;
  switch (codeOf(thrown)) {
    case 'ENOSPC':
    case 'EDQUOT':
      return new AppError({
        code: 'full',
        message: `The disk is full, so “${fileName}” was not written. A former file of that name is untouched. Free some space and try again.`,
      });
    case 'EROFS':
    case 'EACCES':
    case 'EPERM':
      return new AppError({
        code: 'io',
        message: `The folder of “${fileName}” cannot be written to. Choose another place.`,
      });
    case 'ENOENT':
      return new AppError({
        code: 'not-found',
        message: `The folder of “${fileName}” is not there any more. Choose another place.`,
      });
    case 'EFBIG':
      return new AppError({
        code: 'too-big',
        message: `“${fileName}” would be larger than its disk allows. Choose another place.`,
      });
    default:
      return new AppError({
        code: 'io',
        message: `“${fileName}” could not be written (${codeOf(thrown) || String(thrown)}). A former file of that name is untouched.`,
      });
  }
}
