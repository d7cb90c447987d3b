// Refuses comments that continue the name beside them, and mean nothing without it.
import type { Rule } from './oxlint.ts';

const MESSAGE = 'A comment is understood by itself: “Line on which the record begins.” instead of “Of the record.”';

export const wholeComments: Rule = {
  create: (context) => ({
    Program: () => {
      let lastLine = -1;
      for (const comment of context.sourceCode.getAllComments()) {
        const { start, end } = comment.loc;
        const continuesComment = comment.type === 'Line' && lastLine === start.line - 1;
        if (!continuesComment && /^\*?\s*Of\s/.test(comment.value)) context.report({ node: comment, message: MESSAGE });
        lastLine = comment.type === 'Line' ? end.line : -1;
      }
    },
  }),
};
