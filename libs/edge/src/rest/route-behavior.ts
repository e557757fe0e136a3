import { RouteConfig } from '@nestjs/platform-fastify';
import type { FastifyContextConfig } from 'fastify';

/** Sets the route options of a method that serves no row of the endpoint table. */
export const RouteBehavior = (options: FastifyContextConfig): MethodDecorator => RouteConfig({ ...options });
