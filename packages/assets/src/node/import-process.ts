// A child process that imports what it is sent. Its one argument is the module of its importers.
import process from 'node:process';
import { messageOf } from '@ecliptic/core';
import type { Importer } from '../importer/importer.js';
import type { ImportRequest } from '../pool/import-task.js';
import { performImport } from '../pool/perform-import.js';
import type { ProcessAnswer } from './process-answer.js';

const [, , url = ''] = process.argv;
const module = (await import(url)) as { readonly default: readonly Importer[] };
const importers = new Map(module.default.map((importer) => [importer.name, importer]));
const send = (answer: ProcessAnswer): void => void process.send?.(answer);

process.on('message', (request: ImportRequest) => {
  performImport(importers.get(request.importer), request).then(
    (answer) => send({ kind: 'answer', answer }),
    (error: unknown) => send({ kind: 'threw', message: messageOf(error) }),
  );
});
send({ kind: 'ready' });
