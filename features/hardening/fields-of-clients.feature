@hardening @buffering @learning
Feature: Fields that clients of GitLab send and get
  A request reaches each cell that gets it with the fields and the content that its client sent, and
  the owner's fields reach the client. Each scenario is one kind of client, each field has its own
  value, and a finding names the field. The owner lives in the other region, so that under
  buffering a cold request is sent twice.

  Background:
    Given the namespace "/acme" on cell_us1
    And a cold EU router

  Scenario Outline: the fields of browsers arrive
    Some claim an address, a scheme or another target: a router may remove those (the contract).
    Given visitor visited "<known>"
    And cell_us1 responds to "/acme/-/issues" with:
      """
      422
      Content-Type: application/json; charset=utf-8
      Content-Disposition: inline; filename="issues.json"
      Content-Security-Policy: default-src 'self'; frame-ancestors 'none'
      Content-Security-Policy-Report-Only: script-src 'none'
      Cross-Origin-Opener-Policy: same-origin
      Cross-Origin-Resource-Policy: same-site
      Expires: Mon, 01 Jan 2065 00:00:00 GMT
      Nel: {"max_age": 60}
      Page-Title: Issues
      Permissions-Policy: interest-cohort=()
      Poll-Interval: 3001
      Pragma: no-cache
      Referrer-Policy: strict-origin-when-cross-origin
      Report-To: {"group": "default"}
      Server-Timing: db;dur=53
      X-Content-Type-Options: nosniff
      X-Download-Options: noopen
      X-Frame-Options: SAMEORIGIN
      X-Gitlab-Meta: {"correlation_id":"01JA"}
      X-Permitted-Cross-Domain-Policies: none
      X-Runtime: 0.081
      X-Ua-Compatible: IE=edge
      X-Xss-Protection: 1; mode=block

      {}
      """
    When visitor sends:
      """
      POST /acme/-/issues
      Accept: text/html,application/xhtml+xml;q=0.9,*/*;q=0.8
      Accept-Language: nb-NO,nb;q=0.9
      Content-Type: application/x-www-form-urlencoded
      Cookie: preferred_language=nb; flavor="plain"
      Dnt: 1
      Front-End-Https: on
      Origin: https://gitlab.example
      Priority: u=0, i
      Referer: https://gitlab.example/acme/-/issues/new
      Sec-Ch-Ua: "Chromium";v="130", "Not?A_Brand";v="99"
      Sec-Ch-Ua-Mobile: ?0
      Sec-Ch-Ua-Platform: "Linux"
      Sec-Fetch-Dest: document
      Sec-Fetch-Mode: navigate
      Sec-Fetch-Site: same-origin
      Sec-Fetch-User: ?1
      Sec-Gpc: 1
      True-Client-IP: 192.0.2.7
      Upgrade-Insecure-Requests: 1
      User-Agent: Mozilla/5.0 (X11; Linux x86_64) Example/130.0
      X-Csrf-Token: csrf-0001
      X-Original-URL: /other
      X-Real-IP: 192.0.2.7
      X-Requested-With: XMLHttpRequest
      X_Scheme: https

      title=a+b
      """
    Then every copy of the request carried the user's fields (Z-68)
    And every copy of the request carried the same method, target and body (Z-68)
    And visitor gets the response of cell_us1 (RT-08)

    Examples:
      | case | known        |
      | cold | /            |
      | warm | /acme/before |

  Scenario Outline: the fields and the compressed body of git arrive
    Git compresses what it asks for beyond some hundred bytes.
    Given visitor visited "<known>"
    And cell_us1 responds to "/acme/upload-pack" with:
      """
      200
      Content-Type: application/x-git-upload-pack-result
      Cache-Control: no-cache
      Expires: Fri, 01 Jan 1980 00:00:00 GMT
      Pragma: no-cache
      Www-Authenticate: Basic realm="GitLab"

      0008NAK
      """
    When visitor sends raw bytes:
      """
      POST /acme/upload-pack HTTP/1.1
      {host and id}
      Accept: application/x-git-upload-pack-result
      Accept-Language: en-GB, *;q=0.9
      Authorization: Basic YW5uYTpnbHBhdC0wMDAy
      Content-Encoding: gzip
      Content-Type: application/x-git-upload-pack-request
      Git-Protocol: version=2
      User-Agent: git/2.47.0
      Content-Length: 44
      Connection: close

      \x1f\x8b\x08\x00\x00\x00\x00\x00\x02\x03\x33\x30\x30\x36\x2a\x4f\xcc\x2b\x51\x30\x30\x34\x32\x36\x31\x35\x33\xb7\xb0\xc4\xcf\xe2\x32\x00\x02\x00\xc2\x9f\xb1\x17\x36\x00\x00\x00\
      """
    Then every copy of the request carried the user's fields (Z-68)
    And every copy of the request carried the same method, target and body (Z-68)
    And visitor gets the response of cell_us1 (RT-08)

    Examples:
      | case | known        |
      | cold | /            |
      | warm | /acme/before |

  Scenario Outline: the fields of runners and of LFS arrive
    Given visitor visited "<known>"
    And cell_us1 responds to "/acme/trace" with:
      """
      202
      Content-Type: application/vnd.git-lfs+json
      Gitlab-Ci-Builds-Polling: yes
      Job-Status: running
      Lfs-Authenticate: Basic realm="GitLab LFS"
      Range: 0-1023
      X-Gitlab-Last-Update: update-0003
      X-Gitlab-Trace-Update-Interval: 31

      {}
      """
    When visitor sends:
      """
      PATCH /acme/trace
      Accept: application/vnd.git-lfs+json
      Authorization: RemoteAuth remote-0004
      Content-Range: 0-1023
      Content-Type: text/plain
      If-Modified-Since: Wed, 21 Oct 2015 07:28:00 GMT
      Job-Token: job-0005
      Operation: upload
      Runner-Token: glrt-0006
      User-Agent: gitlab-runner 17.6.0 (17-6-stable; go1.22.8; linux/amd64)
      X-Lfs-Oid: 6c17f2007cbe934aee6e309b28b2dba3c119c5dff2ef813ed124699efe319868

      a line of a trace
      """
    Then every copy of the request carried the user's fields (Z-68)
    And visitor gets the response of cell_us1 (RT-08)

    Examples:
      | case | known        |
      | cold | /            |
      | warm | /acme/before |

  Scenario Outline: the fields of clients of registries arrive
    Given visitor visited "<known>"
    And cell_us1 responds to "/acme/manifests/latest" with:
      """
      401
      Content-Type: application/vnd.oci.image.manifest.v1+json
      Docker-Content-Digest: sha256:0007
      Docker-Distribution-Api-Version: registry/2.0
      Docker-Upload-Uuid: 0008-0008
      Etag: "sha256:0007"
      Gitlab-Container-Registry-Features: tag_delete
      Gitlab-Container-Registry-Version: 4.9.0-gitlab
      Location: /acme/blobs/uploads/0008
      Oci-Filters-Applied: artifactType
      Oci-Subject: sha256:0009
      Www-Authenticate: Bearer realm="https://gitlab.example/jwt/auth",service="container_registry"
      X-Conan-Server-Capabilities: checksum_deploy
      X-Nuget-Warning: warning-0010
      X-Pypi-Last-Serial: 11

      {}
      """
    When visitor sends:
      """
      PUT /acme/manifests/latest
      Accept: application/vnd.oci.image.index.v1+json, application/vnd.docker.distribution.manifest.v2+json
      Authorization: Bearer bearer-0012
      Content-Type: application/vnd.oci.image.manifest.v1+json
      Deploy-Token: deploy-0013
      Disable-Module-Fetch: true
      Docker-Distribution-Api-Version: registry/2.1
      If-None-Match: "sha256:0014"
      Npm-Auth-Type: web
      Npm-Command: publish
      X-Checksum-Deploy: true
      X-Checksum-Sha1: 0015
      X-Client-Anonymous-Id: 0016
      X-Nuget-Apikey: apikey-0017
      X-Nuget-Client-Version: 6.11.0
      X-Nuget-Session-Id: 0018

      {}
      """
    Then every copy of the request carried the user's fields (Z-68)
    And visitor gets the response of cell_us1 (RT-08)

    Examples:
      | case | known        |
      | cold | /            |
      | warm | /acme/before |

  Scenario Outline: the fields of Terraform and of clients of the API arrive
    Given visitor visited "<known>"
    And cell_us1 responds to "/acme/terraform/state" with:
      """
      429
      Content-Type: application/json
      Accept-Ranges: bytes
      Access-Control-Allow-Credentials: true
      Access-Control-Allow-Methods: GET, HEAD, POST
      Access-Control-Allow-Origin: https://pages.example
      Access-Control-Expose-Headers: Link, X-Total
      Access-Control-Max-Age: 7200
      Deprecation: @1735689600
      Ratelimit-Limit: 60
      Ratelimit-Name: throttle_authenticated_api
      Ratelimit-Observed: 67
      Ratelimit-Remaining: 0
      Ratelimit-Reset: 1735689660
      Retry-After: 19
      Sunset: Wed, 31 Dec 2064 23:59:59 GMT
      Timing-Allow-Origin: https://pages.example
      X-Gitlab-Blob-Id: blob-0020
      X-Gitlab-Size: 1476
      X-Next-Page: 3
      X-Page: 2
      X-Per-Page: 21
      X-Prev-Page: 1
      X-Request-Id: request-0022
      X-Terraform-Get: ./archive.tgz
      X-Total: 53
      X-Total-Pages: 4

      {}
      """
    When visitor sends:
      """
      POST /acme/terraform/state?ID=0023
      Access-Control-Request-Headers: private-token
      Baggage: user=0024
      Content-Md5: Q2hlY2sgSW50ZWdyaXR5IQ==
      Content-Type: application/json
      Gitlab-Sudo: 25
      Idempotency-Key: 0026
      If-Match: "0027"
      If-Unmodified-Since: Wed, 21 Oct 2015 07:28:00 GMT
      Origin: https://pages.example
      Prefer: respond-async
      Private-Token: glpat-0028
      Sudo: 29
      Tracestate: vendor=0030
      Traceparent: 00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01
      User-Agent: HashiCorp Terraform/1.9.8
      X-Correlation-Id: 0031
      X-Gitlab-Event: Push Hook
      X-Gitlab-Event-Uuid: 0032
      X-Gitlab-Static-Object-Token: 0033
      X-Gitlab-Token: 0034
      X-Hub-Signature-256: sha256=0035
      X-Request-Id: 0036
      X-Terraform-Version: 1.9.8

      {"version": 4}
      """
    Then every copy of the request carried the user's fields (Z-68)
    And visitor gets the response of cell_us1 (RT-08)

    Examples:
      | case | known        |
      | cold | /            |
      | warm | /acme/before |
