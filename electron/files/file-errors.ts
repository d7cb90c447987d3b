// File system errors as sentences that tell the user what to do.
import { AppError } from '#shared/protocol/errors.ts';

function codeOf(thrown: unknown): string {
  return (thrown as { readonly code?: string } | null)?.code ?? '';
}

export function isMissing(thrown: unknown): boolean {
  return ['ENOENT', 'ENOTDIR'].includes(codeOf(thrown));
}

export function nullIfMissing(thrown: unknown): null {
  if (isMissing(thrown)) return null;
  throw thrown;
}

export function readError(fileName: string, thrown: unknown): AppError {
  if (thrown instanceof AppError) return thrown;
  switch (codeOf(thrown)) {
    case 'ENOENT':
      return AppError.notFound(
        `“${fileName}” no longer exists: it was moved, renamed, or deleted. Nothing was changed.`,
      );
    case 'EACCES':
    case 'EPERM':
      return AppError.io(`You do not have permission to read “${fileName}”. Change its permissions and try again.`);
    case 'EISDIR':
      return AppError.invalid(`“${fileName}” is a folder. Choose a database file inside it.`);
    default:
      return AppError.io(`“${fileName}” could not be read (${codeOf(thrown) || String(thrown)}). Nothing was changed.`);
  }
}

export function writeError(fileName: string, thrown: unknown): AppError {
  if (thrown instanceof AppError) return thrown;
  switch (codeOf(thrown)) {
    case 'ENOSPC':
    case 'EDQUOT':
      return AppError.full(
        `The disk is full, so “${fileName}” was not written. An existing file with that name was not changed. Free some space and try again.`,
      );
    case 'EROFS':
    case 'EACCES':
    case 'EPERM':
      return AppError.io(`The folder of “${fileName}” cannot be written to. Choose another location.`);
    case 'ENOENT':
    case 'ENOTDIR':
      return AppError.notFound(`The folder of “${fileName}” no longer exists. Choose another location.`);
    case 'EISDIR':
    case 'ENOTEMPTY':
      return AppError.invalid(`“${fileName}” is a folder. Choose another name.`);
    case 'EFBIG':
      return AppError.tooBig(`“${fileName}” would be larger than the disk allows. Choose another location.`);
    default:
      return AppError.io(
        `“${fileName}” could not be written (${codeOf(thrown) || String(thrown)}). An existing file with that name was not changed.`,
      );
  }
}
