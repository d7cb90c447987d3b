// The groups in which engines are listed.
import type { EngineGroup } from '#shared/bench/engine-row.ts';
import { ENGINES } from '#shared/bench/engines.ts';
import type { EngineDefinition } from '#shared/bench/engines.ts';

export interface ShownGroup {
  readonly title: string;
  /** Collapsed until one of its engines is chosen. */
  readonly isFolded: boolean;
  readonly engines: readonly EngineDefinition[];
}

const GROUPS: Readonly<Record<EngineGroup, Omit<ShownGroup, 'engines'>>> = {
  sidelite: { title: 'Sidelite', isFolded: false },
  native: { title: 'Native SQLite in Node', isFolded: false },
  'sqlite-wasm': { title: 'SQLite’s wasm build, other storage', isFolded: true },
  others: { title: 'Other products', isFolded: true },
};

export const ENGINE_GROUPS: readonly ShownGroup[] = Object.entries(GROUPS).map(([id, group]) => ({
  ...group,
  engines: ENGINES.filter((engine) => engine.group === id),
}));
