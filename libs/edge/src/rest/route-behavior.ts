import { RouteConfig } from '@nestjs/platform-fastify';
import type { FastifyContextConfig } from 'fastify';

/** How a route that is no row of the endpoint table behaves: how it refuses, and what else an app reads from its routes. */
export const RouteBehavior = (manners: FastifyContextConfig): MethodDecorator => RouteConfig({ ...manners });
