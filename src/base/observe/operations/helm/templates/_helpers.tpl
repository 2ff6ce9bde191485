{{- define "service.labels" -}}
app.kubernetes.io/name: {{ .Chart.Name }}
app.kubernetes.io/instance: {{ .Release.Name }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
{{- end }}

{{- define "service.selector" -}}
app.kubernetes.io/instance: {{ .Release.Name }}
app.kubernetes.io/component: {{ .component }}
{{- end }}

{{- define "service.image" -}}
{{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}
{{- end }}

{{- /* Written into the pods, so that a change rolls them, and so that jobs before an installation have them. */ -}}
{{- define "service.environment" -}}
env:
  {{- range $name, $value := .Values.environment }}
  - { name: {{ $name }}, value: {{ $value | quote }} }
  {{- end }}
  {{- range $name, $value := .more }}
  - { name: {{ $name }}, value: {{ $value | quote }} }
  {{- end }}
  - { name: HOST, value: 0.0.0.0 }
  - { name: INSTANCE_ID, valueFrom: { fieldRef: { fieldPath: metadata.name } } }
envFrom:
  - secretRef: { name: {{ .Values.secretName }} }
{{- end }}

{{- define "service.container" -}}
image: {{ include "service.image" . }}
imagePullPolicy: {{ .Values.image.pullPolicy }}
securityContext:
  allowPrivilegeEscalation: false
  readOnlyRootFilesystem: true
  capabilities: { drop: [ALL] }
volumeMounts:
  - { name: tmp, mountPath: /tmp }
{{- end }}

{{- define "service.pod" -}}
automountServiceAccountToken: false
enableServiceLinks: false
securityContext:
  runAsNonRoot: true
  runAsUser: 1000
  runAsGroup: 1000
  seccompProfile: {{ toJson (.seccompProfile | default (dict "type" "RuntimeDefault")) }}
volumes:
  - { name: tmp, emptyDir: {} }
{{- with .Values.imagePullSecrets }}
imagePullSecrets: {{ toJson . }}
{{- end }}
{{- end }}
