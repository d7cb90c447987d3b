// A result as the picture that is on screen.
import { scenePng } from '../charts/scene-canvas.ts';
import type { ResultFormat } from './result-format.ts';

export const PNG_FORMAT: ResultFormat = {
  extension: 'png',
  label: 'PNG…',
  hint: 'a picture of this view',
  contents: ({ picture }) => scenePng(picture(), document.documentElement),
};
