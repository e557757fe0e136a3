import { HttpFault } from '@lensforge/edge';
import { Controller, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { PageRequests } from './page-requests.js';
import { ShowsPage } from './page-routes.js';

/** The places in the console of pages that were here; bookmarks and links of invites still name them. */
const inConsole: Readonly<Record<string, string>> = {
  tokens: '/account?tab=tokens',
  connectors: '/account?tab=tokens',
  keys: '/account?tab=keys',
  communities: '/account?tab=communities',
  webhooks: '/webhooks',
};

@Controller()
export class MovedPagesController {
  constructor(private readonly pages: PageRequests) {}

  @ShowsPage(...Object.keys(inConsole).flatMap((name) => [`/id/${name}`, `/id/${name}/*`]))
  async redirect(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const { consoleUrl } = this.pages;
    const path = inConsole[request.url.split(/[/?]/, 3)[2] ?? ''];
    if (consoleUrl === undefined || path === undefined) throw new HttpFault(404, 'not_found', 'There is no such page');
    const page = await this.pages.open(request, reply);
    const community = path.includes('communities') ? page.query.get('community') : undefined;
    page.redirect(consoleUrl + path + (community === undefined ? '' : `&community=${encodeURIComponent(community)}`));
  }
}
