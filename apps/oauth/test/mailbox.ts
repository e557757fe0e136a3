import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { until } from '@lensforge/testing';
import { SMTPServer } from 'smtp-server';

export interface Mail {
  to: string;
  /** Both parts, decoded. */
  text: string;
}

export interface Mailbox {
  url: string;
  mails: Mail[];
  /** The link in the newest mail to this address. */
  linkTo(address: string): Promise<URL>;
  /** Makes the server refuse mails with a message that repeats their content. */
  refuse: boolean;
  close(): Promise<void>;
}

/** A mail server that stores all mails. */
export async function openMailbox(): Promise<Mailbox> {
  const mails: Mail[] = [];
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS', 'AUTH'],
    onData: (stream, { envelope }, done) => {
      void text(stream).then((raw) => {
        const content = raw
          .replace(/=\r\n/g, '')
          .replace(/=([0-9A-F]{2})/g, (_all, hex: string) => String.fromCharCode(parseInt(hex, 16)));
        if (box.refuse) return done(new Error(`refused: ${content}`));
        for (const { address } of envelope.rcptTo) mails.push({ to: address, text: content });
        done();
      });
    },
  });
  server.on('error', () => undefined);
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  const { port } = server.server.address() as AddressInfo;
  const box: Mailbox = {
    url: `smtp://127.0.0.1:${port}`,
    mails,
    refuse: false,
    linkTo: async (address) => {
      const mail = await until(() => mails.findLast(({ to }) => to === address));
      return new URL(/https?:\/\/\S+/.exec(mail.text)?.[0] ?? '');
    },
    close: () => new Promise((done) => server.close(done)),
  };
  return box;
}
