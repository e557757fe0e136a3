{{- define "lensforge.labels" -}}
app.kubernetes.io/part-of: lensforge
app.kubernetes.io/managed-by: {{ .Release.Service }}
app.kubernetes.io/instance: {{ .Release.Name }}
helm.sh/chart: {{ .Chart.Name }}-{{ .Chart.Version }}
{{- end }}

{{/* An image by digest where one is given, else by tag. Takes (dict "root" $ "name" "api-gateway"). */}}
{{- define "lensforge.image" -}}
{{- $image := .root.Values.image -}}
{{- $name := printf "%s/%s" (trimSuffix "/" $image.registry) .name -}}
{{- with get $image.digests .name -}}
{{ $name }}@{{ . }}
{{- else -}}
{{ $name }}:{{ default .root.Chart.AppVersion $image.tag }}
{{- end -}}
{{- end }}

{{/* Settings as the data of a ConfigMap. Numbers of values files are floats, which would be written as 1e+06. */}}
{{- define "lensforge.settings" -}}
{{- range $name, $value := . }}
{{ $name }}: {{ ternary (printf "%.0f" (float64 $value)) (toString $value) (kindIs "float64" $value) | quote }}
{{- end }}
{{- end }}

{{/* The settings that all services have in common. */}}
{{- define "lensforge.commonSettings" -}}
{{- $own := dict
  "NODE_ENV" "production"
  "HOST" "0.0.0.0"
  "PORT" "8080"
  "LENSFORGE_MANAGEMENT_PORT" "9090"
  "LENSFORGE_OAUTH_URL" "http://oauth:8080"
  "LENSFORGE_PUBLIC_API_URL" (printf "https://%s" .Values.hosts.api)
  "LENSFORGE_PUBLIC_MCP_URL" (printf "https://%s" .Values.hosts.mcp)
  "LENSFORGE_PUBLIC_OAUTH_URL" (printf "https://%s" .Values.hosts.id)
  "LENSFORGE_TRUSTED_PROXIES" "10.0.0.0/8,172.16.0.0/12,192.168.0.0/16" -}}
{{- include "lensforge.settings" (merge (deepCopy .Values.settings) $own) -}}
{{- end }}

{{/* Takes (dict "name" "api-gateway" "service" <its values>). Without Redis each gateway grants its share of the limits. */}}
{{- define "lensforge.serviceSettings" -}}
{{- $own := dict -}}
{{- if has .name (list "api-gateway" "mcp-gateway" "oauth") -}}
{{- $own = dict (printf "LENSFORGE_REPLICAS_%s" (.name | upper | replace "-" "_")) (.service.replicas | int | toString) -}}
{{- end -}}
{{- include "lensforge.settings" (merge (deepCopy .service.settings) $own) -}}
{{- end }}

{{- define "lensforge.podSecurity" -}}
runAsNonRoot: true
runAsUser: 10001
runAsGroup: 10001
seccompProfile:
  type: RuntimeDefault
{{- end }}

{{- define "lensforge.containerSecurity" -}}
allowPrivilegeEscalation: false
privileged: false
readOnlyRootFilesystem: true
runAsNonRoot: true
capabilities:
  drop: [ALL]
{{- end }}

{{/* Matches the pods of several services. Takes their names. */}}
{{- define "lensforge.podsNamed" -}}
matchExpressions:
  - key: app.kubernetes.io/name
    operator: In
    values: {{ toJson . }}
{{- end }}

{{- define "lensforge.slowScaleDown" -}}
scaleUp:
  stabilizationWindowSeconds: 0
  policies:
    - { type: Percent, value: 100, periodSeconds: 15 }
scaleDown:
  stabilizationWindowSeconds: 300
  policies:
    - { type: Pods, value: 1, periodSeconds: 60 }
{{- end }}

{{/* Members of each pod of a service that come from the values. Takes the root. */}}
{{- define "lensforge.placement" -}}
{{- with .Values.image.pullSecrets }}
imagePullSecrets:
  {{- range . }}
  - name: {{ . }}
  {{- end }}
{{- end }}
{{- with .Values.pods.nodeSelector }}
nodeSelector: {{ toJson . }}
{{- end }}
{{- with .Values.pods.tolerations }}
tolerations: {{ toJson . }}
{{- end }}
{{- end }}
