import type { Command } from '../command.js';
import { UsageFault } from '../faults.js';

const views = ['runs', 'lenses', 'workflows', 'experiments', 'battles', 'agents', 'threads', 'webhooks', 'account'];

const open: Command = {
  name: 'open',
  summary: 'Open the console, at a view such as lenses or runs/<id>',
  args: ['[view]'],
  run: (session, input) => {
    const view = input.optionalArg('view') ?? 'runs';
    const [name = '', id = '', ...rest] = view.split('/');
    if (!views.includes(name) || rest.length > 0)
      throw new UsageFault(`"${view}" is not a view: use one of ${views.join(', ')}, and runs/<id> for a run`);
    const url = `${session.apiUrl}/console/${name}${id === '' ? '' : `/${encodeURIComponent(id)}`}`;
    session.host.openBrowser(url);
    session.show({ url }, () => url);
    return Promise.resolve();
  },
};

export const openCommands = [open];
