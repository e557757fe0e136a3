// A receiver of webhooks: WEBHOOK_SECRET=whsec_… go run receiver.go. Verifies the signature over the raw body.
package main

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"sync"
)

type message struct {
	ID    string `json:"id"`
	Event string `json:"event"`
	Data  struct {
		RunID string `json:"runId"`
	} `json:"data"`
}

func main() {
	secret := []byte(os.Getenv("WEBHOOK_SECRET"))
	if len(secret) == 0 {
		log.Fatal("Set WEBHOOK_SECRET to the secret of the endpoint")
	}
	port := os.Getenv("PORT")
	if port == "" {
		port = "8091"
	}
	// The events that were processed. Keep these ids in a database.
	var seen sync.Map

	handle := func(response http.ResponseWriter, request *http.Request) {
		body, err := io.ReadAll(http.MaxBytesReader(response, request.Body, 1<<20))
		mac := hmac.New(sha256.New, secret)
		mac.Write(body)
		expected := "sha256=" + hex.EncodeToString(mac.Sum(nil))
		if err != nil || !hmac.Equal([]byte(expected), []byte(request.Header.Get("X-Service-Signature"))) {
			response.WriteHeader(http.StatusUnauthorized)
			return
		}
		var received message
		if json.Unmarshal(body, &received) != nil {
			response.WriteHeader(http.StatusBadRequest)
			return
		}
		response.WriteHeader(http.StatusNoContent)
		if _, known := seen.LoadOrStore(received.ID, true); !known {
			fmt.Println(received.Event, received.Data.RunID)
		}
	}

	listener, err := net.Listen("tcp", "127.0.0.1:"+port)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("http://%s\n", listener.Addr())
	log.Fatal(http.Serve(listener, http.HandlerFunc(handle)))
}
