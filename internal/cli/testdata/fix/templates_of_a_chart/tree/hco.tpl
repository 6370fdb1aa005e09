apiVersion: apps/v1
kind: Deployment
metadata: {name: '{{ name }}'}
spec:
  template:
    spec:
      containers:
      - name: app # the only one
        image: quay.io/acme/app:1
