// The scratch databases of a window, opened to choose tables from, until the window releases them or ends.
import { AppError } from '#shared/protocol/errors.ts';
import type { WindowSession } from '../sessions/session.ts';
import type { OpenedSource } from './open-source.ts';

const opened = new WeakMap<WindowSession, Map<string, OpenedSource>>();

/** Returns its id. */
export function keepSource(window: WindowSession, source: OpenedSource): string {
  const sources = opened.get(window) ?? new Map<string, OpenedSource>();
  opened.set(window, sources);
  const id = crypto.randomUUID();
  sources.set(id, source);
  return id;
}

/** @throws AppError `not-found` */
export function sourceOf(window: WindowSession, id: string): OpenedSource {
  const source = opened.get(window)?.get(id);
  if (source) return source;
  throw AppError.notFound('The file is no longer being read. Choose it again.');
}

/** Takes it from the window: it is not removed. */
export function takeSource(window: WindowSession, id: string): OpenedSource | null {
  const source = opened.get(window)?.get(id) ?? null;
  opened.get(window)?.delete(id);
  return source;
}

export function closeSource(window: WindowSession, id: string): void {
  const source = takeSource(window, id);
  if (source === null) return;
  source.connection.close();
  source.scratch.remove();
}

export function closeSourcesOf(window: WindowSession): void {
  for (const id of opened.get(window)?.keys() ?? []) closeSource(window, id);
}
