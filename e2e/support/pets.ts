// Two small tables, opened in a window.
import { join } from 'node:path';
import { makeDatabase } from '../data/make-database.ts';
import { AppWindow } from '../pages/app-window.ts';
import type { TestedApp } from '../tested-app.ts';

const PETS = `CREATE TABLE pet (id INTEGER PRIMARY KEY, name TEXT); INSERT INTO pet (name) VALUES ('two words'), ('cat');
  CREATE TABLE vet (id INTEGER PRIMARY KEY, name TEXT); INSERT INTO vet (name) VALUES ('Ann');`;

export const openPets = async (app: TestedApp): Promise<AppWindow> =>
  new AppWindow(await app.start(makeDatabase(join(app.folder, 'pets.db'), { kind: 'sql', sql: PETS })));
