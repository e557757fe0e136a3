import { RouteBehavior, toHttpFault } from '@lensforge/edge';
import { RequestMapping, RequestMethod, applyDecorators } from '@nestjs/common';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { html } from './html.js';
import { card, layout } from './layout.js';
import { pageHeaders } from './page-headers.js';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The route serves people: its errors are pages, too. */
    page?: boolean;
  }
}

export const ShowsPage = (...path: string[]): MethodDecorator => pageRoute(RequestMethod.GET, path);

export const TakesForm = (...path: string[]): MethodDecorator => pageRoute(RequestMethod.POST, path);

const pageRoute = (method: RequestMethod, path: string[]): MethodDecorator =>
  applyDecorators(RequestMapping({ method, path }), RouteBehavior({ page: true, form: method === RequestMethod.POST }));

/** Responds to errors of page routes with a page. */
export function answerFaultsWithPages(http: FastifyInstance): void {
  http.addHook('onRoute', (route) => {
    if (route.config?.page) route.errorHandler = showFault;
  });
}

const titles: Readonly<Record<number, string>> = {
  403: 'The form was not accepted',
  404: 'Page not found',
  413: 'The form is too large',
  429: 'Please wait a moment',
  503: 'Temporarily unavailable',
};

function showFault(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  const { status, message, headers } = toHttpFault(error, request);
  if (status >= 500) request.log[status === 503 ? 'warn' : 'error']({ err: error }, 'request failed');
  const title = titles[status] ?? (status >= 500 ? 'Something went wrong on our side' : 'The request is not valid');
  const { 'retry-after': wait } = headers;
  void reply
    .code(status)
    .headers({ ...pageHeaders, ...(wait !== undefined && { 'retry-after': wait }) })
    .type('text/html; charset=utf-8')
    .send(
      layout({
        title,
        failed: true,
        body: card(
          html`<h1>${title}</h1>
            <p>${status >= 500 && status !== 503 ? 'The error is on our side, and it is in our log' : message}.</p>
            <p class="soft small">
              Go back and try again. If it happens again, tell us the request id
              <span class="mono">${request.id}</span>.
            </p>`,
        ),
      }),
    );
}
