import { mergeConfig } from 'vitest/config';
import { browser } from '../../vitest.shared.ts';
import { FILES } from './src/conformance/suite-case.ts';
import { answer } from './test/http-server.ts';

const files = new Map(Object.entries(FILES).map(([path, bytes]) => [path.normalize('NFC'), bytes]));

/** The files of the conformance suite, served with ranges at `/conformance/`. */
const conformanceFiles = {
  name: 'conformance-files',
  configureServer(server: { middlewares: { use: (path: string, handler: typeof serve) => void } }) {
    server.middlewares.use('/conformance', serve);
  },
};

function serve(
  request: Parameters<typeof answer>[0],
  response: Parameters<typeof answer>[1],
): void {
  const { pathname } = new URL(request.url ?? '/', 'http://server');
  answer(request, response, files.get(decodeURIComponent(pathname).normalize('NFC')));
}

export default mergeConfig(browser('vfs'), { plugins: [conformanceFiles] });
